import { describe, expect, test } from "vitest";
import { initModel, textOf, createAgent } from "millrace";
import { generate } from "millrace/models";
import { anthropic } from "millrace/anthropic";
import { gemini } from "millrace/gemini";
import { ollama } from "millrace/ollama";
import { openai, type OpenAIOptions } from "millrace/openai";
import { deferred } from "../../models/support/deferred.js";
import { modelAt, outcomeOf, serving } from "../../models/support/models.js";
import { type Answer, begin, content, delta, hello, status } from "../../models/support/server.js";

/** A clock on which each wait ends at once and is recorded. */
function impatient(): { readonly waits: number[]; readonly options: Partial<OpenAIOptions> } {
  const waits: number[] = [];
  return {
    waits,
    options: {
      maxRetries: 2,
      random: () => 0.5,
      timeouts: { firstToken: Infinity, idle: Infinity },
      clock: {
        now: () => 0,
        setTimeout: (callback, ms) => {
          // The time that a body may take to end (1 s), or to arrive with an error (2 s), is not a delay before a
          // retry.
          if (ms !== 1_000 && ms !== 2_000) waits.push(ms);
          return setTimeout(callback);
        },
        clearTimeout: (handle) => {
          clearTimeout(handle as NodeJS.Timeout);
        },
      },
    },
  };
}

async function ask(answers: readonly Answer[], options: Partial<OpenAIOptions> = {}) {
  const server = await serving(...answers);
  const { waits, options: own } = impatient();
  const { chunks, error } = await outcomeOf(modelAt(server, { ...own, ...options }).stream("Hi"));
  return { text: chunks.map(textOf).join(""), error, waits, requests: server.requests.length };
}

/** What Groq answers if its model writes a call that it cannot read. */
const slip = {
  error: {
    message: "Failed to call a function. See 'failed_generation' for more details.",
    type: "invalid_request_error",
    code: "tool_use_failed",
    status_code: 400,
    failed_generation: "<function=f{</function>",
  },
};

// G-models-5
describe("a request is repeated before its first token after", () => {
  const drop: Answer = (response) => response.destroy();
  const cases: readonly [string, Answer][] = [
    ["a 429", status(429, {})],
    ["a 408", status(408, {})],
    ["a 500", status(500, {})],
    ["a 503", status(503, "<html>")],
    ["a 409 that the server wants to be repeated", status(409, {}, { "x-should-retry": "true" })],
    ["a 400 for what the model wrote", status(400, slip)],
    [
      "the same in a stream",
      (response) => {
        begin(response, slip);
        response.end();
      },
    ],
    ["a lost connection", drop],
    [
      "a stream that is cut before its first token",
      (response) => {
        begin(response, delta({ role: "assistant" }));
        setTimeout(() => response.destroy(), 5);
      },
    ],
    [
      "a stream that ends before its first token",
      (response) => {
        begin(response, delta({ role: "assistant", content: "" }));
        response.end();
      },
    ],
    [
      "a stream that ends before its first data",
      (response) => {
        begin(response);
        response.end("data: ");
      },
    ],
    [
      "a temporary error event before any token",
      (response) => {
        begin(response, { error: { message: "Busy", type: "server_error" } });
        response.end();
      },
    ],
    [
      "a temporary JSON error instead of a stream",
      status(200, { error: { message: "Overloaded", type: "overloaded_error" } }),
    ],
  ];
  test.each(cases)("%s", async (_, answer) => {
    expect(await ask([answer, hello])).toMatchObject({ text: "Hello", error: undefined, requests: 2 });
  });
});

const outOfQuota = {
  message: "You exceeded your current quota, please check your plan and billing details.",
  type: "insufficient_quota",
  param: null,
  code: "insufficient_quota",
};

describe("a request is not repeated after", () => {
  const cases: readonly [string, Answer, string][] = [
    ["a 400", status(400, {}), "http"],
    ["a 401", status(401, {}), "http"],
    ["a 404", status(404, {}), "http"],
    [
      "a 500 that the server does not want to be repeated",
      status(500, {}, { "x-should-retry": "false" }),
      "http",
    ],
    [
      "a 503 that the server does not want to be repeated, in other letters",
      status(503, {}, { "X-Should-Retry": "False" }),
      "http",
    ],
    ["a 429 without money", status(429, { error: outOfQuota }), "http"],
    ["a 429 without money, as DashScope writes it", status(429, outOfQuota), "http"],
    [
      "a 429 without money, in other letters",
      status(429, { error: { message: "No.", code: "INSUFFICIENT_QUOTA" } }),
      "http",
    ],
    [
      "a 429 without money whose code is a number",
      status(429, { error: { ...outOfQuota, code: "429" } }),
      "http",
    ],
    [
      "an error event without money",
      (response) => {
        begin(response, { error: outOfQuota });
        response.end();
      },
      "provider",
    ],
    [
      "a permanent error event",
      (response) => {
        begin(response, { error: { message: "No", code: "context_length_exceeded" } });
        response.end();
      },
      "provider",
    ],
    [
      "a permanent JSON error instead of a stream",
      status(200, { error: { message: "No", code: "context_length_exceeded" } }),
      "provider",
    ],
    ["garbage", (response) => response.end("<html>"), "protocol"],
  ];
  test.each(cases)("%s", async (_, answer, code) => {
    expect(await ask([answer, hello])).toMatchObject({ text: "", error: { code }, requests: 1, waits: [] });
  });

  // G-models-5
  test("its first token", async () => {
    const breaks: readonly Answer[] = [
      (response) => response.destroy(),
      (response) => response.end(),
      (response) => response.end('data: {"error":{"message":"Busy","type":"server_error"}}\n\n'),
    ];
    for (const break_ of breaks) {
      const answer: Answer = (response, ...rest) => {
        begin(response, content("Hel"));
        setTimeout(() => break_(response, ...rest), 5);
      };
      expect(await ask([answer, hello])).toMatchObject({
        text: "Hel",
        error: { retryable: true },
        requests: 1,
      });
    }
  });
});

describe("between two attempts", () => {
  test("the delay doubles, minus a random part of up to half", async () => {
    expect(await ask([status(500, {})], { maxRetries: 6 })).toMatchObject({
      requests: 7,
      waits: [375, 750, 1_500, 3_000, 6_000, 6_000],
      error: { code: "http", status: 500 },
    });
    expect((await ask([status(500, {})], { random: () => 0.2 })).waits).toEqual([450, 900]);
    expect((await ask([status(500, {})], { random: () => 1 })).waits).toEqual([250, 500]);
  });

  test("the delay is the server's Retry-After, in seconds", async () => {
    expect(await ask([status(429, {}, { "retry-after": "3" }), hello])).toMatchObject({
      text: "Hello",
      waits: [3_000],
    });
  });

  test("or as a date, by the server's clock", async () => {
    const headers = { date: "Wed, 21 Oct 2015 07:28:00 GMT", "retry-after": "Wed, 21 Oct 2015 07:28:09 GMT" };
    expect((await ask([status(503, {}, headers), hello])).waits).toEqual([9_000]);
    const past = { ...headers, "retry-after": "Wed, 21 Oct 2015 07:27:00 GMT" };
    expect((await ask([status(503, {}, past), hello])).waits).toEqual([0]);
  });

  test("or in milliseconds, as OpenAI sends it", async () => {
    const headers = { "retry-after-ms": "120", "retry-after": "1" };
    expect((await ask([status(429, {}, headers), hello])).waits).toEqual([120]);
  });

  test("or in the answer, as Gemini sends it, also in a stream", async () => {
    const info = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "2.5s" };
    const error = { code: 429, message: "Quota", status: "RESOURCE_EXHAUSTED", details: [{}, info] };
    expect((await ask([status(429, { error }), hello])).waits).toEqual([2_500]);
    const inStream: Answer = (response) => {
      begin(response, { error });
      response.end();
    };
    expect((await ask([inStream, hello])).waits).toEqual([2_500]);
    const odd = { ...error, details: [{ retryDelay: "soon" }, null, 1] };
    expect((await ask([status(429, { error: odd }), hello])).waits).toEqual([375]);
  });

  test("a delay of more than a minute is an error that contains the delay", async () => {
    expect(await ask([status(429, {}, { "retry-after": "61" }), hello])).toMatchObject({
      requests: 1,
      waits: [],
      error: { status: 429, retryAfter: 61_000 },
    });
  });

  test.each(["soon", "-5", "+5", "5, 5", "1.5.5", "5s"])(
    "an invalid Retry-After is ignored: %s",
    async (value) => {
      expect((await ask([status(429, {}, { "retry-after": value }), hello])).waits).toEqual([375]);
    },
  );

  test("leaving the stream ends the delay", async () => {
    const server = await serving(status(500, {}, { "retry-after": "50" }));
    const { promise: waits, resolve: waiting } = deferred();
    const timers = new Set<unknown>();
    const clock = {
      now: () => 0,
      setTimeout: () => {
        timers.add(timers);
        waiting();
        return timers;
      },
      clearTimeout: (handle: unknown) => timers.delete(handle),
    };
    const options = { maxRetries: 2, clock, timeouts: { firstToken: Infinity, idle: Infinity } };
    const controller = new AbortController();
    const outcome = outcomeOf(modelAt(server, options).stream("Hi", { signal: controller.signal }));
    await waits;
    controller.abort("enough");
    expect((await outcome).error).toBe("enough");
    expect(timers.size).toBe(0);
    expect(server.requests).toHaveLength(1);
  });
});

test("maxRetries is 2 by default", async () => {
  expect((await ask([status(500, {})], { maxRetries: undefined })).requests).toBe(3);
  expect((await ask([status(500, {})], { maxRetries: 0 })).requests).toBe(1);
});

describe.each([NaN, -1, 1.5])("maxRetries: %d is rejected", (maxRetries) => {
  const expected = expect.objectContaining({
    name: "RangeError",
    message: expect.stringMatching(/^maxRetries /) as string,
  }) as Error;

  test("where a model is made", async () => {
    for (const create of [openai, anthropic, gemini, ollama])
      expect(() => create({ model: "m-1", apiKey: "k", maxRetries })).toThrow(expected);
    await expect(initModel("openai:m-1", { apiKey: "k", maxRetries })).rejects.toThrow(expected);
  });

  test("by a call, before it sends a request", async () => {
    const server = await serving(hello);
    const model = modelAt(server);
    expect((await outcomeOf(model.stream("Hi", { maxRetries }))).error).toEqual(expected);
    await expect(generate(model, ["Hi"], { maxRetries })).rejects.toThrow(expected);
    expect(() => createAgent({ model, callOptions: { maxRetries } })).toThrow(expected);
    expect(server.requests).toEqual([]);
  });
});

test("maxRetries: Infinity sets no limit", async () => {
  const answers = [...Array<Answer>(9).fill(status(500, {})), hello];
  expect(await ask(answers, { maxRetries: Infinity })).toMatchObject({ text: "Hello", requests: 10 });
});
