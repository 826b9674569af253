import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { executable } from "../../cli/harness.js";
import { describePostgres, PostgresServer } from "../../durable/support/postgres.js";
import { ExtractProcess, numbersIn } from "./support/extract-process.js";
import { StormServer } from "./support/storm-server.js";

/** In each run. Most of a run's processor time is DBOS's and PostgreSQL's, for each document. */
const documents = 120;

describePostgres("millrace extract --engine dbos", () => {
  const postgres = new PostgresServer();
  let program: string;
  let folder: string;
  let db: string;
  beforeAll(async () => {
    program = executable();
    folder = await mkdtemp(join(tmpdir(), "millrace-workers-"));
    await writeFile(
      join(folder, "s.json"),
      '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}',
    );
    await postgres.start();
    db = await postgres.newDatabase();
  }, 60_000);
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await postgres.close();
  }, 60_000);

  async function extract(server: string, name: string, more: readonly string[]): Promise<ExtractProcess> {
    const rows = Array.from({ length: documents }, (_, n) => JSON.stringify({ text: `Document ${n}` }));
    await writeFile(join(folder, `${name}.jsonl`), rows.join("\n"));
    const args = ["--model", "openai:gpt-5-mini", "--base-url", server, "--schema", "s.json"];
    const files = ["--input", `${name}.jsonl`, "--prompt", "{text}", "--out", `out-${name}.jsonl`];
    return new ExtractProcess(program, [...args, ...files, "--engine", "dbos", "--db", db, ...more], folder);
  }

  async function worker(): Promise<ExtractProcess> {
    const process = new ExtractProcess(program, ["--db", db, "--concurrency", "8"], folder, "worker");
    await process.said("works on");
    return process;
  }

  // G-extract-2
  test("workers and the command may be killed, and each document is written once", async () => {
    const server = new StormServer({ storms: false, latency: 20 });
    const url = await server.start();
    const answered = async (count: number): Promise<void> => {
      while (server.counts.answered < count) await sleep(5);
    };
    // All three create the tables.
    const workers = await Promise.all([worker(), worker()]);
    const first = await extract(url, "kills", ["--concurrency", "50"]);
    try {
      await answered(documents / 5);
      workers[0].kill();
      await answered((2 * documents) / 5);
      first.kill();
      await first.ended();
      const second = await extract(url, "kills", ["--concurrency", "50"]);
      await complete(second, "kills");
    } finally {
      for (const process of workers) process.kill();
      await Promise.all(workers.map((process) => process.ended()));
      await server.stop();
    }
    // Only what a worker had in work is asked about again.
    expect(server.counts.answered).toBeLessThan(documents + 50 + 8);
  });

  /** Runs to the end. Each document must be there once. */
  async function complete(run: ExtractProcess, name: string): Promise<void> {
    expect(await run.ended()).toBe(0);
    const found = await numbersIn(join(folder, `out-${name}.jsonl`));
    expect([...found.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: documents }, (_, n) => n));
    expect([...found.values()].every((times) => times === 1)).toBe(true);
    expect(await readFile(join(folder, `out-${name}.errors.jsonl`), "utf8")).toBe("");
  }

  test("a database that disappears and returns loses nothing, and all processes go on", async () => {
    const server = new StormServer({ storms: false, latency: 20 });
    const url = await server.start();
    const workers = [await worker(), await worker()];
    const run = await extract(url, "lost", ["--concurrency", "50"]);
    try {
      for (const answers of [documents / 5, (2 * documents) / 5]) {
        while (server.counts.answered < answers) await sleep(5);
        await postgres.kill();
        await sleep(300);
        await postgres.resume();
      }
      await complete(run, "lost");
      expect(workers.map(({ isOver }) => isOver)).toEqual([false, false]);
    } finally {
      for (const process of [...workers, run]) process.kill();
      await Promise.all(workers.map((process) => process.ended()));
      await server.stop();
    }
    // What workers had in work may be asked about again.
    expect(server.counts.answered).toBeLessThanOrEqual(documents + 2 * 16);
  });

  test("tasks that a worker has claimed and does not know of, and lost ones, are worked on", async () => {
    const server = new StormServer({ storms: false, latency: 20 });
    const url = await server.start();
    const living = await worker();
    const run = await extract(url, "claimed", ["--concurrency", String(documents)]);
    const client = new pg.Client(db);
    await client.connect();
    try {
      while (server.counts.answered < 20) await sleep(5);
      // The claim was written, and the database went away before it responded.
      const { rowCount } = await client.query(
        `UPDATE millrace_extract.workflow_status AS lost SET status = 'PENDING', executor_id = worker.executor_id
         FROM (SELECT executor_id FROM millrace_extract.workflow_status WHERE status = 'PENDING' LIMIT 1) AS worker
         WHERE lost.workflow_uuid IN (
           SELECT workflow_uuid FROM millrace_extract.workflow_status WHERE status = 'ENQUEUED'
           ORDER BY created_at DESC LIMIT 3
         )`,
      );
      expect(rowCount).toBe(3);
      // A copy of the database without the last tasks has taken over.
      const lost = await client.query(
        `DELETE FROM millrace_extract.workflow_status WHERE workflow_uuid IN (
           SELECT workflow_uuid FROM millrace_extract.workflow_status WHERE status = 'ENQUEUED'
           ORDER BY created_at DESC LIMIT 3
         )`,
      );
      expect(lost.rowCount).toBe(3);
      await complete(run, "claimed");
      expect(server.counts.answered).toBe(documents);
    } finally {
      await client.end();
      for (const process of [living, run]) process.kill();
      await living.ended();
      await server.stop();
    }
  });
});
