import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  collect,
  last,
  mergeChunks,
  type ModelError,
  pipe,
  reasoningOf,
  textOf,
  toolCallsOf,
} from "millrace";
import { gemini, type GeminiOptions } from "millrace/gemini";
import { outcomeOf } from "../support/models.js";

const mock = new LLMock({ port: 0 });
const weather = { city: "Oslo", days: [1, 2, 3], note: 'a "quoted" é😀' };

beforeAll(async () => {
  mock.onMessage("greet", { content: "Hi there! How are you today?" }, { chunkSize: 3 });
  mock.onMessage("think", { content: "4", reasoning: "Two and two." }, { chunkSize: 2 });
  mock.onMessage("both", {
    content: "I look.",
    toolCalls: [
      { name: "weather", arguments: JSON.stringify(weather), id: "call_a" },
      { name: "time", arguments: "{}" },
    ],
  });
  mock.onMessage("speak", { audio: "AAEC", format: "wav" });
  mock.onMessage(
    "cut",
    { content: "0123456789".repeat(10) },
    { chunkSize: 5, latency: 5, truncateAfterChunks: 6 },
  );
  await mock.start();
});

afterAll(async () => {
  await mock.stop();
});

function model(options: Partial<GeminiOptions> = {}): ReturnType<typeof gemini> {
  return gemini({
    model: "gemini-2.5-flash",
    baseURL: `${mock.url}/v1beta`,
    apiKey: "mock",
    retries: 0,
    ...options,
  });
}

/** Ends each wait at once. */
const clock = { now: () => 0, setTimeout: (wake: () => void) => setTimeout(wake), clearTimeout: () => {} };
const patient = { firstToken: Infinity, idle: Infinity };

describe("against a mock of Gemini over HTTP", () => {
  test("a text streams", async () => {
    const messages = await collect(pipe(model().stream("greet"), mergeChunks()));
    expect(messages.length).toBeGreaterThan(8);
    expect(textOf(messages.at(-1)!)).toBe("Hi there! How are you today?");
    expect(messages.at(-1)).toMatchObject({ finishReason: "stop", usage: { inputTokens: 0 } });
  });

  test("reasoning comes apart from the text", async () => {
    const message = await last(pipe(model().stream("think"), mergeChunks()));
    expect([reasoningOf(message!), textOf(message!)]).toEqual(["Two and two.", "4"]);
  });

  test("a text and two tool calls come whole", async () => {
    const message = await last(pipe(model().stream("both"), mergeChunks()));
    expect(textOf(message!)).toBe("I look.");
    expect(toolCallsOf(message!)).toMatchObject([
      { id: "call_a", name: "weather", args: weather },
      { name: "time", args: {} },
    ]);
    expect(message?.finishReason).toBe("tool_calls");
  });

  test("speech comes as audio", async () => {
    const message = await last(pipe(model().stream("speak"), mergeChunks()));
    expect(message?.content).toMatchObject([{ type: "audio", data: "AAEC" }]);
  });

  test("a stream that is disconnected has an error with what had arrived, and is not asked for again", async () => {
    const before = mock.getRequests().length;
    const { chunks, error } = await outcomeOf(model({ retries: 3 }).stream("cut"));
    const text = chunks.map(textOf).join("");
    expect(text).not.toBe("");
    expect("0123456789".repeat(10).startsWith(text)).toBe(true);
    expect(error).toMatchObject({ code: "cut", retryable: true });
    expect(textOf((error as ModelError).partial!)).toBe(text);
    expect(mock.getRequests().length - before).toBe(1);
  });

  test("a question that it does not know is an http error, in Gemini's own words", async () => {
    expect((await outcomeOf(model().stream("what?"))).error).toMatchObject({
      code: "http",
      status: 404,
      providerCode: "NOT_FOUND",
    });
  });

  test("the whole conversation arrives there", async () => {
    await outcomeOf(
      model().stream([{ role: "developer", content: "Be kind." }, "greet"], { temperature: 0.5 }),
    );
    expect(mock.getLastRequest()?.body).toMatchObject({
      temperature: 0.5,
      messages: [
        { role: "system", content: "Be kind." },
        { role: "user", content: "greet" },
      ],
    });
  });
});

describe("when all goes wrong", () => {
  test.each([
    ["500s", { dropRate: 1 }, { code: "http", status: 500, retryable: true }],
    ["429 with Retry-After", { rateLimitRate: 1 }, { code: "http", status: 429, retryAfter: 1_000 }],
    ["malformed JSON", { malformedRate: 1 }, { code: "protocol", retryable: false }],
    ["disconnects", { disconnectRate: 1 }, { code: "network", retryable: true }],
  ])("by %s, it is a typed error, after as many attempts as are worth it", async (_, chaos, expected) => {
    const before = mock.getRequests().length;
    mock.setChaos(chaos);
    const { chunks, error } = await outcomeOf(
      model({ retries: 2, clock, timeouts: patient }).stream("greet"),
    );
    mock.clearChaos();
    expect(chunks).toEqual([]);
    expect(error).toMatchObject({ name: "ModelError", ...expected });
    expect(mock.getRequests().length - before).toBe((error as ModelError).retryable ? 3 : 1);
  });

  test("once, the second attempt succeeds", async () => {
    mock.nextRequestError(503, { message: "Later" });
    const { chunks, error } = await outcomeOf(
      model({ retries: 1, clock, timeouts: patient }).stream("greet"),
    );
    expect(error).toBeUndefined();
    expect(chunks.map(textOf).join("")).toBe("Hi there! How are you today?");
  });
});
