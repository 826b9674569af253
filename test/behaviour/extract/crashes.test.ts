import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ended, executable } from "../../cli/harness.js";
import { ExtractProcess, numbersIn } from "./support/extract-process.js";
import { randomOf } from "../../support/random.js";
import { StormServer } from "./support/storm-server.js";

const seed = Number(process.env["MILLRACE_SEED"] ?? 1);
const documents = 400;
const kills = 4;

const program = executable();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "millrace-extract-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

// G-extract-1
test(`kill -9 at seeded moments and storms of the server leave each document once (seed ${seed})`, async () => {
  const rows = Array.from({ length: documents }, (_, n) => JSON.stringify({ text: `Document ${n}` }));
  await writeFile(join(folder, "in.jsonl"), rows.join("\n"));
  await writeFile(
    join(folder, "s.json"),
    '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}',
  );
  const server = new StormServer({ seed, latency: 10 });
  const args = [
    ...["--model", "openai:gpt-5-mini", "--base-url", await server.start(), "--schema", "s.json"],
    ...["--input", "in.jsonl", "--prompt", "{text}", "--out", "out.jsonl", "--concurrency", "16"],
  ];
  const random = randomOf(seed);
  try {
    for (let round = 0; ; round++) {
      const run = new ExtractProcess(program, args, folder);
      // The moment depends on what was answered, not on the speed of the machine.
      const until = server.counts.answered + Math.ceil((random() * documents) / kills / 1.5);
      while (round < kills && server.counts.answered < until && !run.isOver) await sleep(2);
      if (round < kills) run.kill();
      const code = await run.ended();
      if (round < kills) expect(code).toBeUndefined();
      else {
        expect(code).toBe(0);
        break;
      }
    }
  } finally {
    await server.stop();
  }
  const found = await numbersIn(join(folder, "out.jsonl"));
  expect([...found.keys()].sort((a, b) => a - b)).toEqual(rows.map((_, n) => n));
  expect([...found.values()].every((times) => times === 1)).toBe(true);
  expect(await readFile(join(folder, "out.errors.jsonl"), "utf8")).toBe("");
  // Only what was asked and not yet written is paid for twice.
  expect(server.counts.answered).toBeLessThanOrEqual(documents + kills * 16);
});

test("a disk that becomes full loses nothing", async () => {
  const rows = Array.from({ length: 60 }, (_, n) => `"Document ${n}"`);
  await writeFile(join(folder, "full.jsonl"), rows.join("\n"));
  const server = new StormServer({ storms: false });
  const args = [
    ...["--model", "openai:gpt-5-mini", "--base-url", await server.start(), "--schema", "s.json"],
    ...["--input", "full.jsonl", "--out", "full-out.jsonl"],
  ];
  try {
    // The shell limits the size of files to some blocks of 512 or 1,024 bytes.
    const script = `ulimit -f 4; exec ${process.execPath} ${program} extract ${args.join(" ")} --prompt '{text}'`;
    const limited = await ended(spawn("sh", ["-c", script], { cwd: folder }));
    expect(limited.code).toBe(5);
    expect(limited.stderr).toContain("full-out.jsonl");
    const run = new ExtractProcess(program, [...args, "--prompt", "{text}"], folder);
    expect(await run.ended()).toBe(0);
  } finally {
    await server.stop();
  }
  const found = await numbersIn(join(folder, "full-out.jsonl"));
  expect(found.size).toBe(60);
  expect([...found.values()].every((times) => times === 1)).toBe(true);
});
