/**
 * `npm run prove:extract [-- PART…] [--documents 100000]`: tables about `millrace extract`, from runs against a model
 * server on this machine. They show that each document is written once in spite of `kill -9` and storms of the server
 * (`crashes`), also with `millrace worker` (`workers`), that memory does not grow with the number of documents
 * (`memory`), how much of a limit is used (`limits`), and how much faster four workers are than one (`speedup`).
 */
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { count, size } from "../src/text/counts.js";
import { ExtractProcess, numbersIn } from "../test/behaviour/extract/support/extract-process.js";
import { StormServer } from "../test/behaviour/extract/support/storm-server.js";
import { randomOf } from "../test/support/random.js";
import { executable } from "../test/cli/harness.js";
import { PostgresServer } from "../test/durable/support/postgres.js";
import { checkNames, scriptArguments } from "../scripts/script-arguments.js";

const { values, positionals } = scriptArguments({ documents: { type: "string" } });
const documents = Number(values.documents ?? 100_000);
const kills = 20;
const seed = Number(process.env["MILLRACE_SEED"] ?? 1);

const program = executable();
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
    "openai:gpt-6.1-terra",
    "--base-url",
    server,
    "--schema",
    "s.json",
    "--prompt",
    "{text}",
  ];
  return new ExtractProcess(program, [...args, "--input", input, "--out", outOf(input), ...more], folder);
}

let postgres: PostgresServer | undefined;

async function database(): Promise<PostgresServer> {
  if (postgres === undefined) {
    postgres = new PostgresServer();
    await postgres.start();
  }
  return postgres;
}

async function startWorker(db: string, concurrency: number): Promise<ExtractProcess> {
  const args = ["--db", db, "--concurrency", String(concurrency)];
  const worker = new ExtractProcess(program, args, folder, "worker");
  await worker.said("works on");
  return worker;
}

/** Removes what a run has written. */
function forget(input: string): void {
  for (const name of [
    outOf(input),
    `${outOf(input)}.run`,
    outOf(input).replace(/\.jsonl$/, ".errors.jsonl"),
  ]) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
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
    forget(input);
    console.log(`| ${count(amount)} | ${size(run.memory)} | ${(amount / seconds).toFixed(0)} |`);
  }
}

async function limits(): Promise<void> {
  console.log("\nA limit of the server (60 seconds each, after 15 seconds)\n");
  console.log("| workers | limit/min | --rpm | answers/min | of the limit | refused |");
  console.log("| ------- | --------- | ----- | ----------- | ------------ | ------- |");
  for (const [amount, limit, rpm] of [
    [0, 3_000, 3_000],
    [0, 3_000, undefined],
    [0, 600, 1_200],
    [3, 3_000, 3_000],
    [3, 3_000, undefined],
    [3, 600, 1_200],
  ] as const) {
    const server = new StormServer({ storms: false, latency: 50, requestsPerMinute: limit });
    const input = await writeInput(50_000);
    const db = amount === 0 ? undefined : await (await database()).newDatabase();
    const workers = await Promise.all(Array.from({ length: amount }, () => startWorker(db ?? "", 16)));
    const engine = db === undefined ? ["--concurrency", "32"] : ["--engine", "dbos", "--db", db];
    const more = [...engine, ...(rpm === undefined ? [] : ["--rpm", String(rpm)])];
    const run = start(await server.start(), input, more);
    await sleep(15_000);
    const before = { ...server.counts };
    await sleep(60_000);
    const answered = server.counts.answered - before.answered;
    const over = server.counts.over - before.over;
    for (const each of [run, ...workers]) each.kill();
    await Promise.all([run, ...workers].map((each) => each.ended()));
    await server.stop();
    forget(input);
    const share = (over / (over + answered)) * 100;
    console.log(
      `| ${amount === 0 ? "no" : amount} | ${count(limit)} | ${rpm === undefined ? "none" : count(rpm)} | ${count(answered)} | ${(answered / limit).toFixed(3)} | ${share.toFixed(2)} % |`,
    );
  }
}

async function crashes(): Promise<void> {
  const server = new StormServer({ seed, latency: 5 });
  const url = await server.start();
  const input = await writeInput(documents);
  const random = randomOf(seed);
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
  forget(input);
  const { requests, answered, stormed } = server.counts;
  console.log(`
Crashes and storms (seed ${seed})

| documents | kill -9 | requests | hit by a storm | answers | asked twice | missing or twice in the output | seconds |
| --------- | ------- | -------- | -------------- | ------- | ----------- | ------------------------------ | ------- |
| ${count(documents)} | up to ${kills} | ${count(requests)} | ${count(stormed)} | ${count(answered)} | ${count(answered - documents)} | 0 | ${((performance.now() - from) / 1_000).toFixed(0)} |`);
}

async function workers(): Promise<void> {
  const server = new StormServer({ seed, latency: 50 });
  const url = await server.start();
  const db = await (await database()).newDatabase();
  const input = await writeInput(documents);
  const random = randomOf(seed);
  const from = performance.now();
  const living = await Promise.all(Array.from({ length: 3 }, () => startWorker(db, 32)));
  let run = start(url, input, ["--engine", "dbos", "--db", db]);
  for (let kill = 0; kill < kills && !run.isOver; kill++) {
    const until = server.counts.answered + Math.ceil((random() * documents) / kills / 0.6);
    while (server.counts.answered < until && !run.isOver) await sleep(1);
    const victim = Math.floor(random() * 4);
    const worker = living[victim];
    const killed = worker ?? run;
    killed.kill();
    await killed.ended();
    if (worker !== undefined) living[victim] = await startWorker(db, 32);
    else run = start(url, input, ["--engine", "dbos", "--db", db]);
  }
  await run.ended();
  for (const worker of living) worker.kill();
  await Promise.all(living.map((worker) => worker.ended()));
  await server.stop();
  await check(input, documents);
  forget(input);
  const { requests, answered, stormed } = server.counts;
  console.log(`
Crashes of three workers and of the command, and storms (seed ${seed})

| documents | kill -9 | requests | hit by a storm | answers | asked twice | missing or twice in the output | memory of the command | seconds |
| --------- | ------- | -------- | -------------- | ------- | ----------- | ------------------------------ | --------------------- | ------- |
| ${count(documents)} | up to ${kills} | ${count(requests)} | ${count(stormed)} | ${count(answered)} | ${count(answered - documents)} | 0 | ${size(run.memory)} | ${((performance.now() - from) / 1_000).toFixed(0)} |`);
}

async function speedup(): Promise<void> {
  console.log(
    "\nAnswers that take a second, 8 documents at a time in each worker (30 seconds each, after 10)\n",
  );
  console.log("| workers | documents/s | of one |");
  console.log("| ------- | ----------- | ------ |");
  let one = 0;
  for (const amount of [1, 2, 4]) {
    const server = new StormServer({ storms: false, latency: 1_000 });
    const db = await (await database()).newDatabase();
    const input = await writeInput(10_000);
    const living = await Promise.all(Array.from({ length: amount }, () => startWorker(db, 8)));
    const run = start(await server.start(), input, ["--engine", "dbos", "--db", db]);
    await sleep(10_000);
    const before = server.counts.answered;
    await sleep(30_000);
    const rate = (server.counts.answered - before) / 30;
    if (amount === 1) one = rate;
    for (const each of [run, ...living]) each.kill();
    await Promise.all([run, ...living].map((each) => each.ended()));
    await server.stop();
    forget(input);
    console.log(`| ${amount} | ${rate.toFixed(1)} | ${(rate / one).toFixed(2)} |`);
  }
}

const parts = { crashes, workers, memory, limits, speedup };
checkNames("part", positionals, Object.keys(parts));
try {
  for (const [name, prove] of Object.entries(parts)) {
    if (positionals.length === 0 || positionals.includes(name)) await prove();
  }
} finally {
  await postgres?.close();
  rmSync(folder, { recursive: true });
}
