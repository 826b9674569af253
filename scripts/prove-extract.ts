/**
 * `npm run prove:extract [-- --documents 100000]`: three tables about `millrace extract`, from runs against a model
 * server on this machine. They show that each document is written once in spite of `kill -9` and storms of the server,
 * that memory does not grow with the number of documents, and how much of a limit is used.
 */
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseOptions } from "../src/cli/commands/arguments.js";
import { count, size } from "../src/text/counts.js";
import { ExtractProcess, numbersIn } from "../test/behaviour/extract/support/extract-process.js";
import { mulberry, StormServer } from "../test/behaviour/extract/support/storm-server.js";
import { executable } from "../test/cli/harness.js";
import { scriptArguments } from "./script-arguments.js";

const values = scriptArguments((argv) => parseOptions(argv, { documents: { type: "string" } }));
const documents = Number(values.documents ?? 100_000);
const kills = 20;
const seed = Number(process.env["MILLRACE_SEED"] ?? 1);

const program = await executable();
const folder = mkdtempSync(join(tmpdir(), "millrace-prove-"));
writeFileSync(
  join(folder, "s.json"),
  '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}',
);

async function writeInput(amount: number): Promise<string> {
  const name = `${amount}.jsonl`;
  const file = createWriteStream(join(folder, name));
  for (let n = 0; n < amount; n++) {
    if (!file.write(`${JSON.stringify({ text: `${"A line of a letter. ".repeat(20)}Number ${n}` })}\n`)) {
      await once(file, "drain");
    }
  }
  file.end();
  await once(file, "close");
  return name;
}

function start(server: string, input: string, more: readonly string[]): ExtractProcess {
  const args = [
    "--model",
    "openai:gpt-5-mini",
    "--base-url",
    server,
    "--schema",
    "s.json",
    "--prompt",
    "{text}",
  ];
  return new ExtractProcess(
    program.main,
    [...args, "--input", input, "--out", outOf(input), ...more],
    folder,
  );
}

function outOf(input: string): string {
  return `out-${input}`;
}

/** Fails unless each number is there once. */
async function check(input: string, amount: number): Promise<void> {
  const found = await numbersIn(join(folder, outOf(input)));
  const twice = [...found.values()].filter((times) => times > 1).length;
  if (found.size === amount && twice === 0) return;
  throw new Error(`${input}: ${amount - found.size} documents are missing, ${twice} are there twice.`);
}

async function memory(): Promise<void> {
  console.log(
    "\nMemory and speed without failures (concurrency 32)\n\n| documents | most memory | documents/s |",
  );
  console.log("| --------- | ----------- | ----------- |");
  for (const amount of [1_000, 10_000, 100_000].filter((it) => it <= documents)) {
    const server = new StormServer({ storms: false });
    const input = await writeInput(amount);
    const from = performance.now();
    const run = start(await server.start(), input, ["--concurrency", "32"]);
    await run.ended();
    const seconds = (performance.now() - from) / 1_000;
    await server.stop();
    await check(input, amount);
    rmSync(join(folder, outOf(input)));
    rmSync(join(folder, `${outOf(input)}.run`), { recursive: true });
    console.log(`| ${count(amount)} | ${size(run.memory)} | ${(amount / seconds).toFixed(0)} |`);
  }
}

async function limits(): Promise<void> {
  console.log("\nA limit of the server (60 seconds each, after 10 seconds)\n");
  console.log("| limit/min | --rpm | answers/min | of the limit | refused |");
  console.log("| --------- | ----- | ----------- | ------------ | ------- |");
  for (const [limit, rpm] of [
    [3_000, 3_000],
    [3_000, undefined],
    [600, 1_200],
  ] as const) {
    const server = new StormServer({ storms: false, latency: 50, requestsPerMinute: limit });
    const input = await writeInput(50_000);
    const more = ["--concurrency", "32", ...(rpm === undefined ? [] : ["--rpm", String(rpm)])];
    const run = start(await server.start(), input, more);
    await sleep(10_000);
    const before = { ...server.counts };
    await sleep(60_000);
    const answered = server.counts.answered - before.answered;
    const over = server.counts.over - before.over;
    run.kill();
    await run.ended();
    await server.stop();
    rmSync(join(folder, outOf(input)));
    rmSync(join(folder, `${outOf(input)}.run`), { recursive: true });
    const share = (over / (over + answered)) * 100;
    console.log(
      `| ${count(limit)} | ${rpm === undefined ? "none" : count(rpm)} | ${count(answered)} | ${(answered / limit).toFixed(3)} | ${share.toFixed(2)} % |`,
    );
  }
}

async function crashes(): Promise<void> {
  const server = new StormServer({ seed, latency: 5 });
  const url = await server.start();
  const input = await writeInput(documents);
  const random = mulberry(seed);
  const from = performance.now();
  for (let round = 0; ; round++) {
    const run = start(url, input, ["--concurrency", "64"]);
    const until = server.counts.answered + Math.ceil((random() * documents) / kills / 0.6);
    while (round < kills && server.counts.answered < until && !run.isOver) await sleep(1);
    if (round < kills) run.kill();
    if ((await run.ended()) !== undefined) break;
  }
  await server.stop();
  await check(input, documents);
  const { requests, answered, stormed } = server.counts;
  console.log(`
Crashes and storms (seed ${seed})

| documents | kill -9 | requests | hit by a storm | answers | asked twice | missing or twice in the output | seconds |
| --------- | ------- | -------- | -------------- | ------- | ----------- | ------------------------------ | ------- |
| ${count(documents)} | up to ${kills} | ${count(requests)} | ${count(stormed)} | ${count(answered)} | ${count(answered - documents)} | 0 | ${((performance.now() - from) / 1_000).toFixed(0)} |`);
}

try {
  await crashes();
  rmSync(join(folder, outOf(`${documents}.jsonl`)), { force: true });
  rmSync(join(folder, `${outOf(`${documents}.jsonl`)}.run`), { recursive: true, force: true });
  await memory();
  await limits();
} finally {
  await program.remove();
  rmSync(folder, { recursive: true });
}
