import { type Clock, collect, extractAll, type Extraction, ModelError, textOf } from "millrace";
import { AgentError } from "millrace/agent";
import { openai } from "millrace/openai";
import { manualClock, scriptedModel, type ScriptedModel, type ScriptItem, spySource } from "millrace/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const schema = z.object({ n: z.int() });
const usage = { inputTokens: 10, outputTokens: 2, totalTokens: 12 };

/** Answers each prompt with the next entry of its script. An error is thrown. The last entry is repeated. */
function model(script: Readonly<Record<string, readonly (string | Error)[]>>): ScriptedModel {
  const asked = new Map<string, number>();
  return scriptedModel(({ messages }): Iterable<ScriptItem> => {
    const prompt = textOf(messages.find(({ role }) => role === "user") ?? { content: [] });
    const count = asked.get(prompt) ?? 0;
    asked.set(prompt, count + 1);
    const entries = script[prompt] ?? ['{"n": 0}'];
    const entry = entries[Math.min(count, entries.length - 1)] as string | Error;
    if (entry instanceof Error) throw entry;
    return [{ content: [{ type: "text", text: entry }], usage }];
  });
}

function status(code: number, details: object = {}): ModelError {
  const retryable = code === 429 || code >= 500;
  return new ModelError("http", `status ${code}`, { status: code, retryable, ...details });
}

/** A clock that jumps to the next timer instead of waiting. */
function jumpingClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    setTimeout: (callback, ms) => {
      const at = now + ms;
      return setImmediate(() => {
        now = Math.max(now, at);
        callback();
      });
    },
    clearTimeout: (handle) => {
      clearImmediate(handle as NodeJS.Immediate);
    },
  };
}
const soon = jumpingClock();

function noop(): void {}

function shown(results: readonly Extraction<unknown, string>[]): unknown[] {
  return results.map((result) =>
    result.ok
      ? [result.input, result.object, result.attempts]
      : [result.input, result.failure, result.attempts],
  );
}

test("each input gets an object, with its position and the tokens of all answers", async () => {
  const script = { a: ['{"n": 1}'], b: ['{"n": "no"}', '{"n": 2}'] };
  const results = await collect(extractAll(["a", "b"], { model: model(script), schema, ordered: true }));
  expect(results).toEqual([
    { ok: true, input: "a", index: 0, attempts: 1, usage, object: { n: 1 } },
    {
      ...{ ok: true, input: "b", index: 1, attempts: 2, object: { n: 2 } },
      usage: { inputTokens: 20, outputTokens: 4, totalTokens: 24 },
    },
  ]);
});

test("a result lists the coercions and repairs of its object, and has neither if it is as written", async () => {
  const script = {
    coerced: ['{"n": "1,250"}'],
    repaired: ['{"n": 2,}'],
    both: ["{n: [3]}"],
    clean: ['{"n": 4}'],
  };
  const inputs = Object.keys(script);
  const results = await collect(extractAll(inputs, { model: model(script), schema, ordered: true }));
  const facts = (index: number): object => ({ ok: true, input: inputs[index], index, attempts: 1, usage });
  expect(results).toEqual([
    {
      ...{ ...facts(0), object: { n: 1250 } },
      coercions: [{ pointer: "/n", kind: "number", from: "1,250", to: 1250 }],
    },
    { ...facts(1), object: { n: 2 }, repairs: [{ kind: "trailing_comma", offset: 8 }] },
    {
      ...{ ...facts(2), object: { n: 3 }, repairs: [{ kind: "unquoted_key", offset: 1 }] },
      coercions: [{ pointer: "/n", kind: "single", from: [3], to: 3 }],
    },
    { ...facts(3), object: { n: 4 } },
  ]);
  expect(Object.keys(results[3] ?? {})).not.toContain("coercions");
});

test("a failure is a value with its reason, and the others continue", async () => {
  const script = {
    request: [status(400)],
    server: [status(500)],
    network: [new ModelError("network", "none", { retryable: true })],
    cut: [new ModelError("cut", "cut", { retryable: true })],
    invalid: ['{"n": "no"}'],
    refused: [new AgentError("refused", "No.")],
    other: [new TypeError("a bug")],
    input: [],
    fine: ['{"n": 1}'],
  };
  const results = extractAll(Object.keys(script), {
    ...{ model: model(script), schema, maxRetries: 1, maxRequestRetries: 2, clock: soon, ordered: true },
    prompt: (input) => {
      if (input === "input") throw new Error("unreadable");
      return input;
    },
  });
  expect(shown(await collect(results))).toEqual([
    ["request", "request", 1],
    ["server", "server", 3],
    ["network", "network", 3],
    ["cut", "cut", 3],
    ["invalid", "invalid", 2],
    ["refused", "refused", 1],
    ["other", "other", 1],
    ["input", "input", 0],
    ["fine", { n: 1 }, 1],
  ]);
});

test("a failure that passes is tried again, and its attempts and tokens are counted", async () => {
  const script = { a: [status(503), '{"n": "no"}', status(429, { retryAfter: 1 }), '{"n": 1}'] };
  const results = await collect(extractAll(["a"], { model: model(script), schema, clock: soon }));
  expect(results).toMatchObject([
    { ok: true, object: { n: 1 }, attempts: 4, usage: { inputTokens: 20, outputTokens: 4, totalTokens: 24 } },
  ]);
});

test("an error that concerns all inputs ends the stream", async () => {
  for (const error of [
    status(401),
    status(404),
    status(429, { providerCode: "insufficient_quota" }),
    status(429, { retryAfter: 86_400_000 }),
    new ModelError("no_key", "No key."),
  ]) {
    const source = spySource(["a", "b", "c", "d"]);
    const results = extractAll(source, { model: model({ b: [error] }), schema, concurrency: 1 });
    await expect(collect(results)).rejects.toBe(error);
    expect(source.returns).toBe(1);
    expect(source.pulls).toBeLessThan(4);
  }
});

test("a schema that the provider refuses ends the stream", async () => {
  let requests = 0;
  const answer = (message: string, code?: string) => () => {
    requests++;
    return Promise.resolve(Response.json({ error: { message, code } }, { status: 400 }));
  };
  const run = (schema: object, fetch: () => Promise<Response>) =>
    collect(
      extractAll(["a", "b", "c"], {
        model: openai({ model: "gpt-5-mini", apiKey: "k", fetch }),
        ...{ schema: schema as { type: "object" }, concurrency: 1 },
      }),
    );
  const open = {
    type: "object",
    properties: { tags: { type: "object", additionalProperties: { type: "string" } } },
  };
  // OpenAI's strict mode has no such objects, so a tool asks for it.
  expect(await run(open, answer(""))).toMatchObject([{ failure: "request" }, {}, {}]);
  expect(requests).toBe(3);
  const closed = { type: "object", properties: { n: { type: "integer" } } };
  const refused = answer("Invalid schema for response_format 'object': too deep");
  await expect(run(closed, refused)).rejects.toMatchObject({ status: 400 });
  await expect(run(closed, answer("No.", "invalid_json_schema"))).rejects.toMatchObject({ status: 400 });
  expect(requests).toBe(5);
  expect(await run(closed, answer("The document is too long."))).toMatchObject([
    { failure: "request" },
    {},
    {},
  ]);
});

test("a server that loads its model is waited for, and this does not count as a retry", async () => {
  const loading = new ModelError("http", "Loading model", { status: 503, retryable: true });
  const script = { a: [...Array.from({ length: 60 }, () => loading), status(500), '{"n": 1}'] };
  const options = { model: model(script), schema, clock: jumpingClock(), random: () => 0.5 };
  expect(shown(await collect(extractAll(["a"], { ...options, maxRequestRetries: 1 })))).toEqual([
    ["a", { n: 1 }, 62],
  ]);
  // Nobody waits for hours.
  const stuck = { ...options, model: model({ a: [loading] }) };
  expect(await collect(extractAll(["a"], { ...stuck, maxRequestRetries: 1 }))).toMatchObject([
    { failure: "server", attempts: 105 },
  ]);
  expect(await collect(extractAll(["a"], { ...stuck, maxRequestRetries: 0 }))).toMatchObject([
    { failure: "server", attempts: 1 },
  ]);
});

test.each([
  ["status 500", {}, 500],
  ["status 429", {}, 429],
  ["status 429 with Retry-After", { retryAfter: 1_000 }, 429],
])("a request that fails with %s does not hold up the others", async (_name, details, code) => {
  const clock = manualClock();
  let requests = 0;
  let inFlight = 0;
  const tenthFails = scriptedModel(async function* () {
    const fails = ++requests % 10 === 0;
    inFlight++;
    await new Promise<void>((resolve) => {
      clock.setTimeout(resolve, 160);
    });
    inFlight--;
    if (fails) throw status(code, details);
    yield '{"n": 1}';
  });
  const inputs = Array.from({ length: 400 }, (_, index) => `input ${index}`);
  const done = collect(extractAll(inputs, { model: tenthFails, schema, clock, random: () => 0.5 }));
  const counts: number[] = [];
  for (let time = 0; time < 5_000; time += 10) {
    clock.advance(10);
    await new Promise(setImmediate);
    counts.push(inFlight);
  }
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(2); // of 8
  expect(requests).toBeGreaterThan(110); // 235 if none failed
  while (inFlight > 0 || clock.timers > 0) {
    clock.advance(10);
    await new Promise(setImmediate);
  }
  expect(await done).toHaveLength(400);
});

test("the model does not retry by itself, because its requests would not be counted", async () => {
  let requests = 0;
  const server = openai({
    ...{ model: "gpt-5-mini", apiKey: "k", maxRetries: 5 },
    fetch: () => {
      requests++;
      return Promise.resolve(new Response("{}", { status: 500 }));
    },
  });
  const results = extractAll(["a"], { model: server, schema, maxRequestRetries: 1, clock: soon });
  expect(await collect(results)).toMatchObject([{ ok: false, failure: "server", attempts: 2 }]);
  expect(requests).toBe(2);
});

test("requests are limited, corrections and retries included", async () => {
  const clock = jumpingClock();
  const asked: number[] = [];
  const wrongFirst = scriptedModel(() => {
    asked.push(clock.now());
    return [asked.length <= 4 ? '{"n": "no"}' : '{"n": 1}'];
  });
  const inputs = ["a", "b", "c", "d"];
  await collect(extractAll(inputs, { model: wrongFirst, schema, requestsPerMinute: 60, clock }));
  expect(asked).toHaveLength(8);
  for (const [index, at] of asked.entries()) expect(at).toBeGreaterThanOrEqual(index * 1_000);
});

test("a list is asked for with elements, and other inputs than texts are sent as JSON", async () => {
  const asked = model({ '{"id":1}': ['{"elements": [{"n": 1}, {"n": 2}]}'] });
  const results = extractAll([{ id: 1 }], { model: asked, schema, elements: true, system: "Count." });
  expect(await collect(results)).toMatchObject([{ object: [{ n: 1 }, { n: 2 }] }]);
  expect(asked.calls[0]?.messages[0]).toMatchObject({ role: "system" });
});

test("the signal ends all calls with its reason", async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const silent = scriptedModel(async function* ({ options }) {
    signals.push(options.signal);
    yield '{"n"';
    await new Promise(noop);
  });
  const controller = new AbortController();
  const results = collect(
    extractAll(["a", "b", "c"], { model: silent, schema, concurrency: 2, signal: controller.signal }),
  );
  await expect.poll(() => signals.length).toBe(2);
  controller.abort(new Error("enough"));
  await expect(results).rejects.toThrow("enough");
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
});

test("wrong options are refused at once", () => {
  const options = { model: model({}), schema };
  for (const wrong of [
    { concurrency: 0 },
    { concurrency: Infinity },
    { requestsPerMinute: 0 },
    { tokensPerMinute: Number.NaN },
    { maxRequestRetries: -1 },
  ]) {
    expect(() => extractAll([], { ...options, ...wrong })).toThrow(RangeError);
  }
  // @ts-expect-error an unknown option
  expect(() => extractAll([], { ...options, rpm: 5 })).toThrow(/requestsPerMinute/);
});

test("no more inputs are held than those in work", async () => {
  const pulls: number[] = [];
  let pulled = 0;
  let taken = 0;
  async function* endless(): AsyncGenerator<string> {
    for (; pulled < 300; pulled++) yield `input ${pulled}`;
  }
  for await (const result of extractAll(endless(), { model: model({}), schema, concurrency: 16 })) {
    expect(result.ok).toBe(true);
    pulls.push(pulled - taken++);
  }
  expect(taken).toBe(300);
  expect(Math.max(...pulls)).toBeLessThanOrEqual(17);
});
