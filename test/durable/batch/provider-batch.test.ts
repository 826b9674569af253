import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ChatModel, collect, extractAll, type ExtractAllOptions, type Extraction } from "millrace";
import { type FileJournal, fileJournal, memoryJournal, providerBatch } from "millrace/durable";
import { spySource } from "millrace/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { countInBatch } from "#src/durable/batch/batch-api.js";
import { BatchServer } from "../../cli/extract/support/batch-server.js";
import { bundledPrograms } from "../../support/bundled-programs.js";
import { shortenTimers } from "../../support/short-timers.js";

const schema = z.object({ n: z.int() });
const documents = [0, 1, 2, 4, 5].map((n) => `Document ${n}`);

let folder: string;
let server: BatchServer;
let baseURL: string;
let journal: FileJournal;
beforeEach(async () => {
  shortenTimers();
  folder = await mkdtemp(join(tmpdir(), "millrace-batch-"));
  server = new BatchServer();
  baseURL = await server.start();
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await journal.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Each call is a new run with the journal of the runs before. */
async function batchModel(
  name: string,
  options: { readonly retryErrors?: boolean } = {},
): Promise<ChatModel> {
  journal = fileJournal(join(folder, "run"));
  return await providerBatch(name, { journal, apiKey: "k", baseURL, ...options });
}

type Options = Partial<ExtractAllOptions<string, typeof schema, false>>;

async function run(name: string, inputs: readonly string[], options: Options = {}): Promise<unknown[]> {
  const model = await batchModel(name);
  const results = await collect(extractAll(inputs, { model, schema, prompt: (it) => it, ...options }));
  await journal.close();
  return results.map(shown);
}

/** The error that ends a run. */
async function failureOf(name: string, inputs: readonly string[], options?: Options): Promise<unknown> {
  const failed = run(name, inputs, options);
  const error: unknown = await failed.then(
    () => undefined,
    (error: unknown) => error,
  );
  await journal.close();
  return error;
}

const batchFailed = (words: string): object => ({
  name: "ModelError",
  code: "batch",
  message: expect.stringContaining(words) as string,
});

function shown(result: Extraction<{ readonly n: number }, string>): unknown {
  return result.ok ? result.object.n : result.failure;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, it) => total + it, 0);
const sizes = (): number[] => [...server.batches.values()].map(({ lines }) => lines.length);

describe.each(["openai:gpt-5-mini", "anthropic:claude-haiku-4-5"])("%s", (name) => {
  test("all inputs are one batch, and failures are values", async () => {
    server.expire.add("2");
    const inputs = [...documents, "Document 3"];
    expect(await run(name, inputs, { ordered: true })).toEqual([0, 1, 2, 4, 5, "request"]);
    expect(sizes()).toEqual([6, 1]);
  });

  test("a program that starts again sends no input twice, in any order", async () => {
    const inputs = documents.slice(0, 3);
    expect((await run(name, inputs, { concurrency: 2 })).sort()).toEqual([0, 1, 2]);
    expect(sum(sizes())).toBe(3);
    const again = [...inputs].reverse();
    expect(await run(name, again, { concurrency: 1, ordered: true })).toEqual([2, 1, 0]);
    expect(await run(name, ["Document 6", ...again], { ordered: true })).toEqual([6, 2, 1, 0]);
    expect(sum(sizes())).toBe(4);
  });

  test("a program that starts again sends no equal input twice, in any order", async () => {
    const [a = "", b = ""] = documents;
    expect(await run(name, [a, b, a], { concurrency: 2, ordered: true })).toEqual([0, 1, 0]);
    expect(await run(name, [a, a, b], { concurrency: 2, ordered: true })).toEqual([0, 0, 1]);
    expect(await run(name, [b, a, a], { concurrency: 1, ordered: true })).toEqual([1, 0, 0]);
    expect(sum(sizes())).toBe(3);
    // One more than before is one more to send.
    expect(await run(name, [a, a, a, b], { ordered: true })).toEqual([0, 0, 0, 1]);
    expect(sum(sizes())).toBe(4);
  });

  test("equal inputs in one batch are sent under different names, and found again one by one", async () => {
    const [a = ""] = documents;
    expect(await run(name, [a, a, a])).toEqual([0, 0, 0]);
    expect(sizes()).toEqual([3]);
    expect(await run(name, [a, a, a], { concurrency: 1 })).toEqual([0, 0, 0]);
    expect(sizes()).toEqual([3]);
  });

  test("failed requests are sent again by the next run with retryErrors", async () => {
    server.cancel.add("1");
    expect(await run(name, documents, { ordered: true })).toEqual([0, "request", 2, 4, 5]);
    server.cancel.clear();
    expect(await run(name, documents, { ordered: true })).toEqual([0, "request", 2, 4, 5]);
    expect(sizes()).toEqual([5]);
    const model = await batchModel(name, { retryErrors: true });
    const results = await collect(extractAll(documents, { model, schema, ordered: true }));
    expect(results.map(shown)).toEqual([0, 1, 2, 4, 5]);
    expect(sizes()).toEqual([5, 1]);
  });

  test("leaving the loop leaves the batch at the provider, and the same model continues with it", async () => {
    const model = await batchModel(name);
    const source = spySource(documents);
    for await (const result of extractAll(source, { model, schema, concurrency: 2, ordered: true })) {
      expect(shown(result)).toBe(0);
      server.ends = false;
      await vi.waitUntil(() => sizes().length === 2, { timeout: 30_000 });
      break;
    }
    expect(source.returns).toBe(1);
    await sleep(100);
    const { requests } = server;
    await sleep(1_500);
    expect(server.requests).toBe(requests);
    server.ends = true;
    const sent = sizes();
    const rest = documents.slice(2, 2 + (sent[1] ?? 0));
    expect(await collect(extractAll(rest, { model, schema }))).toHaveLength(rest.length);
    expect(sizes()).toEqual(sent);
  });

  test("the signal ends the run with its reason while a batch is at the provider", async () => {
    server.ends = false;
    const controller = new AbortController();
    const model = await batchModel(name);
    const results = collect(extractAll(documents, { model, schema, signal: controller.signal }));
    await vi.waitUntil(() => sizes().length === 1, { timeout: 30_000 });
    controller.abort(new Error("enough"));
    await expect(results).rejects.toThrow("enough");
    await journal.close();
    server.ends = true;
    expect((await run(name, documents)).sort()).toEqual([0, 1, 2, 4, 5]);
    expect(sizes()).toEqual([5]);
  });

  test("an error of the batch endpoints ends the run, and the next run sends the requests", async () => {
    server.replace = () => "<html>";
    const failure = {
      name: "ModelError",
      code: "batch",
      message: expect.stringContaining("no JSON") as string,
    };
    await expect(run(name, documents)).rejects.toMatchObject(failure);
    await journal.close();
    server.replace = () => undefined;
    expect((await run(name, documents)).sort()).toEqual([0, 1, 2, 4, 5]);
    expect(sizes()).toEqual([5]);
  });

  test("an answer of another shape is an error, and its request is not sent again", async () => {
    const bodies = [null, "text", { choices: {}, content: {} }, { choices: [null], content: [null] }, {}];
    server.replace = (request) => {
      if (!/\/(?:content|results)$/.test(request)) return undefined;
      const lines = [...server.batches.values()].flatMap((batch) => batch.lines);
      return lines
        .map(({ custom_id }, i) => ({
          custom_id,
          response: { status_code: 200, body: bodies[i] },
          result: { type: "succeeded", message: bodies[i] },
        }))
        .map((line) => JSON.stringify(line))
        .join("\n");
    };
    const model = await batchModel(name);
    const results = await collect(extractAll(documents, { model, schema }));
    for (const result of results)
      expect(result).toMatchObject({ failure: "request", error: { name: "ModelError", code: "protocol" } });
    expect(sizes()).toEqual([5]);
  });

  test("an answer of any depth and with any status is for its request only, which is not sent again", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    server.replace = (request) => {
      if (!/\/(?:content|results)$/.test(request)) return undefined;
      const ids = [...server.batches.values()].flatMap((batch) => batch.lines.map((it) => it.custom_id));
      const odd = { toString: 1 };
      const bodies = [
        `"response": {"status_code": 200, "body": ${deep}}, "result": {"type": "succeeded", "message": ${deep}}`,
        JSON.stringify({ response: { status_code: odd }, result: { type: odd } }).slice(1, -1),
        JSON.stringify({ error: { message: odd }, result: { type: "errored", error: odd } }).slice(1, -1),
      ];
      return ids.map((id, i) => `{"custom_id": "${id}", ${bodies[i] ?? ""}}`).join("\n");
    };
    const results = await run(name, documents.slice(0, 3));
    expect(results).toEqual(["request", "request", "request"]);
    expect(sizes()).toEqual([3]);
  });

  test("more answers than requests, and an id without end, are an error", async () => {
    const fields = `"response": {"status_code": 200, "body": {}}, "result": {"type": "succeeded", "message": {}}`;
    server.replace = (request) =>
      /\/(?:content|results)$/.test(request) ? `{"custom_id": "x", ${fields}}\n`.repeat(6) : undefined;
    const message = "more answers than the batch has requests (5)";
    expect(await failureOf(name, documents)).toMatchObject(batchFailed(message));
    server.replace = (request) =>
      /POST .*batches$/.test(request) ? JSON.stringify({ id: "i".repeat(2_000) }) : undefined;
    const long = 'at most 1,000 characters as "id"';
    expect(await failureOf(name, ["Document 7"])).toMatchObject(batchFailed(long));
  });

  test("the source is read as far as there is room for results", async () => {
    const source = spySource(documents);
    const model = await batchModel(name);
    let taken = 0;
    for await (const _result of extractAll(source, { model, schema, concurrency: 2 })) {
      await sleep(20);
      expect(source.pulls).toBeLessThanOrEqual(++taken + 2);
    }
    expect(taken).toBe(5);
  });
});

test.each(["before the batch is recorded", "before its answers are there"])(
  "kill -9 %s: the program continues, and sends no input twice",
  async (moment) => {
    const early = moment === "before the batch is recorded";
    const [program = ""] = bundledPrograms(join(import.meta.dirname, "support/batch-program.ts"));
    const child = spawn(process.execPath, [program, join(folder, "run"), baseURL, ...documents]);
    await once(child.stdout, "data");
    Object.assign(server, { ends: false, holds: early });
    // The first batch is done, and the second one is at the provider.
    await vi.waitUntil(() => sizes().length === 2, { timeout: 30_000 });
    const { requests } = server;
    if (!early) await vi.waitUntil(() => server.requests > requests, { timeout: 30_000 });
    child.kill("SIGKILL");
    await once(child, "close");
    Object.assign(server, { ends: true, holds: false });
    expect(await run("openai:gpt-5-mini", documents, { ordered: true })).toEqual([0, 1, 2, 4, 5]);
    expect(sum(sizes())).toBe(5);
  },
  60_000,
);

test("the reason of a batch that was refused is shown as far as it is short, whatever it is", async () => {
  for (const [message, shown] of [
    [{ toString: 1 }, '{"toString":1}'],
    ["x".repeat(5_000), `${"x".repeat(300)}…`],
    [null, "no reason stated"],
  ] as const) {
    server.failure = message as never;
    const failure = await failureOf("openai:gpt-5-mini", [`Document ${shown.length}`]);
    expect(failure).toMatchObject(
      batchFailed(`refused the batch batch-${server.batches.size - 1}: ${shown}`),
    );
  }
});

describe.each([
  ["openai:gpt-5-mini", "GET /v1/batches"],
  ["anthropic:claude-haiku-4-5", "GET /v1/messages/batches"],
])("a batch of %s whose id was not recorded", (name, list) => {
  /** Newer batches than the recorded one. */
  const newer = (page: number): string =>
    JSON.stringify({ has_more: true, data: [{ id: `b${page}`, created_at: new Date().toISOString() }] });

  beforeEach(async () => {
    server.holds = true;
    const left = new AbortController();
    const first = failureOf(name, ["Document 9"], { signal: left.signal });
    while (server.batches.size === 0) await sleep(5);
    left.abort();
    expect(await first).toBe(left.signal.reason);
    server.holds = false;
  });

  test("is found behind a page of newer ones", async () => {
    let page = 0;
    server.replace = (request) => (request === list && page < 2 ? newer(page++) : undefined);
    expect(await run(name, ["Document 9"])).toEqual([9]);
    expect(sizes()).toEqual([1]);
    expect(page).toBe(2);
  });

  test("is not looked for in a list without end", async () => {
    let page = 0;
    server.replace = (request) => (request === list ? newer(page++) : undefined);
    expect(await failureOf(name, ["Document 9"])).toMatchObject(batchFailed("more than 1000 pages"));
    expect(page).toBe(1_000);
  });
});

test("a batch has as many requests as the limits of the provider allow, in bytes of UTF-8", () => {
  const counted = (texts: readonly string[], maxBytes: number, maxRequests = 10): number =>
    countInBatch(
      texts.map((text) => ({ text })),
      { maxBytes, maxRequests },
    );
  const [latin, han] = ["x".repeat(3_000), "漢".repeat(1_000)];
  expect(counted([latin, latin, latin], 7_000)).toBe(2);
  expect(counted([han, han, han], 7_000)).toBe(2);
  expect(counted([han, han, han], 10_000)).toBe(3);
  expect(counted([han, han, han], 10_000, 2)).toBe(2);
  expect(counted([han, latin], 1_000)).toBe(1);
});

test("a journal that cannot be written ends the run", async () => {
  journal = fileJournal(join(folder, "run"), { maxSize: 100 });
  const model = await providerBatch("openai:gpt-5-mini", { journal, apiKey: "k", baseURL });
  const results = collect(extractAll(documents, { model, schema }));
  await expect(results).rejects.toMatchObject({ code: "batch", cause: { code: "too_large" } });
  expect(sizes()).toEqual([]);
});

test("wrong options are refused at once", async () => {
  const options = { journal: memoryJournal(), apiKey: "k" };
  journal = fileJournal(join(folder, "run"));
  await expect(providerBatch("gemini:gemini-3-flash", options)).rejects.toThrow(/openai:… and anthropic:…/);
  // @ts-expect-error an unknown option
  await expect(providerBatch("openai:gpt-5-mini", { ...options, folder: "x" })).rejects.toThrow(
    /fileJournal/,
  );
  const model = await providerBatch("openai:gpt-5-mini", options);
  expect(() => extractAll([], { model, schema, requestsPerMinute: 10 })).toThrow(RangeError);
});
