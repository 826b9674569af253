import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { executable, parsed } from "../../cli/harness.js";
import { describePostgres, PostgresServer } from "../../durable/support/postgres.js";
import { ExtractProcess, numbersIn } from "./support/extract-process.js";
import { StormServer } from "./support/storm-server.js";

/** A file system of a few kilobytes in a folder, if this process may mount one. */
function mount(folder: string, options: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "pipe" });
    return true;
  } catch (error) {
    console.log(`Skipped: a small file system cannot be mounted: ${String(error)}`);
    return false;
  }
}

describePostgres("millrace extract --sql", () => {
  const postgres = new PostgresServer();
  let program: string;
  beforeAll(async () => {
    program = executable();
    await postgres.start();
  }, 60_000);
  afterAll(async () => {
    await postgres.close();
  }, 60_000);

  const rows = 250;
  let folder: string;
  let server: StormServer;
  let url: string;
  let client: pg.Client;
  let args: readonly string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "millrace-sql-"));
    const schema = '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}';
    await writeFile(join(folder, "s.json"), schema);
    await mkdir(join(folder, "disk"));
    server = new StormServer({ storms: false, latency: 5 });
    url = await server.start();
    const database = await postgres.newClient();
    client = database.client;
    await client.query("CREATE TABLE letters (id int, letter text)");
    await client.query(
      `INSERT INTO letters SELECT n, 'Letter ' || n FROM generate_series(0, ${rows - 1}) AS n`,
    );
    args = [
      ...["--model", "openai:gpt-5-mini", "--base-url", url, "--schema", "s.json", "--prompt", "{letter}"],
      ...["--db", database.url, "--id", "id", "--out", "disk/out.jsonl", "--concurrency", "4"],
    ];
  });
  afterEach(async () => {
    await client.end().catch(() => undefined);
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const start = (query: string): ExtractProcess =>
    new ExtractProcess(program, [...args, "--sql", query], folder);

  const answered = async (count: number): Promise<void> => {
    while (server.counts.answered < count) await sleep(2);
  };

  async function errors(): Promise<readonly { readonly kind: string; readonly message: string }[]> {
    const text = await readFile(join(folder, "disk/out.errors.jsonl"), "utf8");
    return text === "" ? [] : (parsed(text) as { kind: string; message: string }[]);
  }

  async function expectComplete(): Promise<void> {
    const found = await numbersIn(join(folder, "disk/out.jsonl"));
    expect([...found.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: rows }, (_, n) => n));
    expect([...found.values()].every((times) => times === 1)).toBe(true);
    expect(await errors()).toEqual([]);
  }

  test("a disk that becomes full loses nothing", async ({ skip }) => {
    const disk = join(folder, "disk");
    if (!mount(disk, "size=24k")) skip();
    try {
      const full = start("SELECT * FROM letters");
      await full.said("ENOSPC");
      await expect(full.ended()).rejects.toThrow("ended with 5");
      expect((await numbersIn(join(disk, "out.jsonl"))).size).toBeLessThan(rows);
      execFileSync("mount", ["-o", "remount,size=1m", disk]);
      expect(await start("SELECT * FROM letters").ended()).toBe(0);
      await expectComplete();
    } finally {
      execFileSync("umount", [disk]);
    }
  });

  test("a database that disappears ends the run, and the same command continues when it has returned", async () => {
    const run = start("SELECT * FROM letters");
    await answered(20);
    await postgres.kill();
    await run.said("The database failed");
    await expect(run.ended()).rejects.toThrow("ended with 3");
    const { size } = await numbersIn(join(folder, "disk/out.jsonl"));
    expect(size).toBeGreaterThanOrEqual(20 - 4);
    await postgres.resume();
    expect(await start("SELECT * FROM letters").ended()).toBe(0);
    await expectComplete();
  });

  test("a table that changes while its rows are read does not change the run", async () => {
    const run = start("SELECT * FROM letters");
    await answered(20);
    await client.query("ALTER TABLE letters RENAME letter TO body");
    await client.query("DELETE FROM letters");
    expect(await run.ended()).toBe(0);
    await expectComplete();
  });

  test("a table that changed since the last run is reported, and keeps the objects", async () => {
    const first = start("SELECT * FROM letters");
    await answered(20);
    first.kill();
    await first.ended();
    const { size } = await numbersIn(join(folder, "disk/out.jsonl"));
    await client.query("ALTER TABLE letters RENAME letter TO body");
    // A column that the query names, and one that the prompt names.
    const named = start("SELECT id, letter FROM letters");
    await named.said('column "letter" does not exist');
    await expect(named.ended()).rejects.toThrow("ended with 2");
    expect(await start("SELECT * FROM letters").ended()).toBe(1);
    expect(await errors()).toHaveLength(rows);
    expect((await errors())[0]).toMatchObject({
      kind: "input",
      message: 'row 1 has no column "letter", which the prompt uses. Its columns are id, body.',
    });
    expect((await numbersIn(join(folder, "disk/out.jsonl"))).size).toBe(size);
    await client.query("ALTER TABLE letters RENAME body TO letter");
    expect(await start("SELECT * FROM letters").ended()).toBe(0);
    await expectComplete();
  });
});
