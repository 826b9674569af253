import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Stop } from "#src/cli/terminal/stop.js";
import { ExtractProcess } from "../../behaviour/extract/support/extract-process.js";
import { shortenTimers } from "../../support/short-timers.js";
import { executable, type Outcome, parsed, run } from "../harness.js";
import { BatchServer } from "./support/batch-server.js";

const program = executable();

let folder: string;
let server: BatchServer;
let url: string;
beforeEach(async () => {
  shortenTimers();
  folder = await mkdtemp(join(tmpdir(), "millrace-batch-"));
  const schema = { type: "object", required: ["n"], properties: { n: { type: "integer" } } };
  await writeFile(join(folder, "s.json"), JSON.stringify(schema));
  const rows = Array.from({ length: 6 }, (_, n) => JSON.stringify({ text: `Document ${n}` }));
  await writeFile(join(folder, "in.jsonl"), rows.join("\n"));
  server = new BatchServer();
  url = await server.start();
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await server.stop();
  await rm(folder, { recursive: true });
});

function argsOf(model: string): string[] {
  const args = [
    "--model",
    model,
    "--base-url",
    url,
    "--schema",
    join(folder, "s.json"),
    "--prompt",
    "{text}",
  ];
  return [
    ...args,
    "--input",
    join(folder, "in.jsonl"),
    "--out",
    join(folder, "out.jsonl"),
    "--provider-batch",
  ];
}

/** A run that is stopped while its batch has not ended. */
async function stoppedRun(model: string): Promise<void> {
  server.ends = false;
  const stop = new AbortController();
  const run = extract(model, stop.signal);
  await vi.waitUntil(isRecorded, { timeout: 30_000 });
  stop.abort(new Stop("interrupted"));
  await run;
}

function extract(model: string, signal?: AbortSignal, more: readonly string[] = []): Promise<Outcome> {
  const env = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" };
  return run(["extract", ...argsOf(model), ...more], { env, ...(signal && { signal }) });
}

const journalFile = (): string => join(folder, "out.jsonl.run/journal.ndjson");
const journal = (): Promise<string> => readFile(journalFile(), "utf8").catch(() => "");
const isRecorded = async (): Promise<boolean> => (await journal()).includes('"batch-0');

/** Removes the id of the batch from the journal, as if the command was killed before the response. */
async function forgetId(): Promise<void> {
  const lines = (await journal()).split("\n");
  await writeFile(journalFile(), lines.filter((line) => !line.includes('"batch-0')).join("\n"));
}

async function found(): Promise<{ objects: number[]; errors: string[] }> {
  const read = async (name: string) => {
    const text = await readFile(join(folder, name), "utf8");
    return text === "" ? [] : parsed(text);
  };
  const objects = (await read("out.jsonl")) as { readonly object: { readonly n: number } }[];
  const errors = (await read("out.errors.jsonl")) as { readonly kind: string; readonly message: string }[];
  return { objects: objects.map(({ object }) => object.n).sort(), errors: errors.map(({ kind }) => kind) };
}

const complete = { objects: [0, 1, 2, 4, 5], errors: ["request"] };

for (const model of ["openai:gpt-5-mini", "anthropic:claude-haiku-4-5"]) {
  test(`${model}: a request that failed is an error, and one that expired is sent again`, async () => {
    server.expire.add("4");
    expect((await extract(model)).code).toBe(1);
    expect(await found()).toEqual(complete);
    expect([...server.batches.values()].map(({ lines }) => lines.length)).toEqual([6, 1]);
  });

  test.each(["with its id", "without its id"])(
    `${model}: a run that was stopped finds its batch again, recorded %s`,
    async (how) => {
      await stoppedRun(model);
      if (how === "without its id") await forgetId();
      server.ends = true;
      await extract(model);
      expect(await found()).toEqual(complete);
      expect(server.batches.size).toBe(1);
    },
  );

  test(`${model}: a batch has at most --concurrency requests, and a cancelled request is an error`, async () => {
    server.cancel.add("1");
    expect((await extract(model, undefined, ["--concurrency", "4"])).code).toBe(1);
    expect(await found()).toEqual({ objects: [0, 2, 4, 5], errors: ["request", "request"] });
    expect([...server.batches.values()].map(({ lines }) => lines.length)).toEqual([4, 2]);
    // Only the two that failed are asked about again.
    server.cancel.clear();
    expect((await extract(model, undefined, ["--retry-errors"])).code).toBe(1);
    expect(await found()).toEqual(complete);
    expect([...server.batches.values()].map(({ lines }) => lines.length)).toEqual([4, 2, 2]);
  });

  test.each(["before the batch is recorded", "before its answers are there"])(
    `${model}: kill -9 %s, and the same command continues with the batch`,
    async (moment) => {
      server.ends = false;
      const early = moment === "before the batch is recorded";
      if (early) server.holds = true;
      const process = new ExtractProcess(program, argsOf(model), folder);
      await vi.waitUntil(() => server.batches.size === 1, { timeout: 30_000 });
      if (!early) await vi.waitUntil(isRecorded, { timeout: 30_000 });
      process.kill();
      await process.ended();
      expect(await isRecorded()).toBe(!early);
      Object.assign(server, { ends: true, holds: false });
      expect((await extract(model)).code).toBe(1);
      expect(await found()).toEqual(complete);
      expect(server.batches.size).toBe(1);
    },
  );

  test(`${model}: a batch whose answers the provider has deleted is sent again`, async () => {
    await stoppedRun(model);
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 30 * 86_400_000);
    server.batches.delete("batch-0");
    server.ends = true;
    await extract(model);
    expect(await found()).toEqual(complete);
  });

  test.each([
    ["no JSON", "<html>", "protocol"],
    ["too much", `"${"x".repeat(11_000_000)}`, "10 MB"],
  ])(`${model}: a response that is %s ends the command with a sentence`, async (_what, text, named) => {
    const created = model.startsWith("openai") ? "POST /v1/batches" : "POST /v1/messages/batches";
    server.replace = (request) => (request === created ? text : undefined);
    const { code, stderr } = await extract(model);
    expect([code, stderr]).toEqual([3, expect.stringContaining(named === "protocol" ? "no JSON" : named)]);
  });
}

test("anthropic: a run without the id of its batch does not wait for batches of others", async () => {
  const model = "anthropic:claude-haiku-4-5";
  await stoppedRun(model);
  await forgetId();
  const lines = server.batches.get("batch-0")?.lines ?? [];
  server.add(lines.slice(1), undefined, { ends: false });
  server.add(lines, undefined, { ends: false, createdAt: Date.now() - 7_200_000 });
  server.ends = true;
  await extract(model);
  expect(await found()).toEqual(complete);
  expect(server.batches.size).toBe(3);
});

test("anthropic: a run that looks for its batch can be stopped", async () => {
  const model = "anthropic:claude-haiku-4-5";
  const stopped = async (): Promise<number> => {
    const stop = new AbortController();
    const requests = server.requests;
    const run = extract(model, stop.signal);
    await vi.waitUntil(async () => server.requests > requests + 1 && (await isRecorded()) === isFirst, {
      timeout: 10_000,
    });
    stop.abort(new Stop("interrupted"));
    return (await run).code;
  };
  server.ends = false;
  let isFirst = true;
  await stopped();
  await forgetId();
  isFirst = false;
  expect(await stopped()).toBe(130);
  expect(server.batches.size).toBe(1);
});

test("openai: a batch that is refused as a whole ends the command, and the next run sends it again", async () => {
  server.failure = "too many tokens";
  const { code, stderr } = await extract("openai:gpt-5-mini");
  expect([code, stderr]).toEqual([3, expect.stringContaining("too many tokens")]);
  server.failure = undefined;
  await extract("openai:gpt-5-mini");
  expect(await found()).toEqual(complete);
});

test.each(["--rpm", "--tpm", "--engine"])("%s is refused", async (option) => {
  const { code, stderr } = await extract("openai:gpt-5-mini", undefined, [option, "10"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(option)]);
  expect(server.batches.size).toBe(0);
});

test("a refused key ends the command, and nothing is lost", async () => {
  await server.stop();
  server = new BatchServer();
  const refusing = createServer((_request, response) => {
    response.statusCode = 401;
    response.end('{"error":{"message":"wrong key"}}');
  }).listen(0, "127.0.0.1");
  await once(refusing, "listening");
  url = `http://127.0.0.1:${String((refusing.address() as AddressInfo).port)}/v1`;
  const { code, stderr } = await extract("openai:gpt-5-mini");
  refusing.close();
  expect(code).toBeGreaterThan(1);
  expect(stderr).toContain("401");
  url = await server.start();
  await extract("openai:gpt-5-mini");
  expect(await found()).toEqual(complete);
});
