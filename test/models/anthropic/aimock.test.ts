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
import { anthropic, type AnthropicOptions } from "millrace/anthropic";
import { outcomeOf } from "../support/models.js";

const mock = new LLMock({ port: 0 });
const weather = { city: "Oslo", days: [1, 2, 3], note: 'a "quoted" é😀' };
const digits = "0123456789".repeat(10);

beforeAll(async () => {
  const usage = { input_tokens: 11, output_tokens: 7 };
  mock.onMessage("greet", { content: "Hi there! How are you today?", usage }, { chunkSize: 3 });
  mock.onMessage("think", { content: "4", reasoning: "Two and two." }, { chunkSize: 2 });
  mock.onMessage("both", {
    content: "I look.",
    toolCalls: [
      { name: "weather", arguments: JSON.stringify(weather) },
      { name: "time", arguments: "{}" },
    ],
  });
  mock.onMessage("cut", { content: digits }, { chunkSize: 5, latency: 5, truncateAfterChunks: 6 });
  mock.onMessage("gone", { content: digits }, { chunkSize: 5, latency: 5, disconnectAfterMs: 40 });
  mock.onMessage("overloaded", { error: { message: "Overloaded", type: "overloaded_error" }, status: 529 });
  mock.onMessage("limited", {
    error: { message: "Slow down", type: "rate_limit_error" },
    status: 429,
    retryAfter: 7,
  });
  await mock.start();
});

afterAll(async () => {
  await mock.stop();
});

function model(options: Partial<AnthropicOptions> = {}): ReturnType<typeof anthropic> {
  return anthropic({ model: "claude-sonnet-4-5", baseURL: mock.url, apiKey: "mock", retries: 0, ...options });
}

describe("against a mock of Anthropic over HTTP", () => {
  test("a text streams, with its usage", async () => {
    const messages = await collect(pipe(model().stream("greet"), mergeChunks()));
    expect(messages.length).toBeGreaterThan(8);
    expect(textOf(messages.at(-1)!)).toBe("Hi there! How are you today?");
    expect(messages.at(-1)).toMatchObject({ finishReason: "stop", providerFinishReason: "end_turn" });
    expect(messages.at(-1)?.usage).toMatchObject({ inputTokens: 11, outputTokens: 7, totalTokens: 18 });
  });

  test("thinking comes apart from the text", async () => {
    const message = await last(pipe(model().stream("think"), mergeChunks()));
    expect([reasoningOf(message!), textOf(message!)]).toEqual(["Two and two.", "4"]);
  });

  test("a text and two tool calls come whole", async () => {
    const message = await last(pipe(model().stream("both"), mergeChunks()));
    expect(textOf(message!)).toBe("I look.");
    expect(toolCallsOf(message!).map(({ name, args }) => [name, args])).toEqual([
      ["weather", weather],
      ["time", {}],
    ]);
    expect(message?.finishReason).toBe("tool_calls");
  });

  test.each(["cut", "gone"])(
    "a stream that is %s has an error with what had arrived, and no second request",
    async (how) => {
      const before = mock.getRequests().length;
      const { chunks, error } = await outcomeOf(model({ retries: 3 }).stream(how));
      const text = chunks.map(textOf).join("");
      expect(text).not.toBe("");
      expect(digits.startsWith(text)).toBe(true);
      expect(error).toMatchObject({ code: "cut", retryable: true });
      expect(textOf((error as ModelError).partial!)).toBe(text);
      expect(mock.getRequests().length - before).toBe(1);
    },
  );

  test("an overloaded provider, and one that asks to be left alone, say so", async () => {
    expect((await outcomeOf(model().stream("overloaded"))).error).toMatchObject({
      code: "http",
      status: 529,
      retryable: true,
      providerCode: "overloaded_error",
    });
    expect((await outcomeOf(model().stream("limited"))).error).toMatchObject({
      code: "http",
      status: 429,
      retryAfter: 7_000,
      providerCode: "rate_limit_error",
    });
  });

  test("a question that it does not know is an http error", async () => {
    expect((await outcomeOf(model().stream("what?"))).error).toMatchObject({ code: "http", status: 404 });
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
  ])("by %s, it is a typed error", async (_, chaos, expected) => {
    mock.setChaos(chaos);
    const { chunks, error } = await outcomeOf(model().stream("greet"));
    mock.clearChaos();
    expect(chunks).toEqual([]);
    expect(error).toMatchObject({ name: "ModelError", ...expected });
  });

  test.each([503, 529])("once, with %d, the second attempt succeeds", async (status) => {
    mock.nextRequestError(status, { message: "Later" });
    const clock = {
      now: () => 0,
      setTimeout: (wake: () => void) => setTimeout(wake),
      clearTimeout: () => {},
    };
    const { chunks, error } = await outcomeOf(model({ retries: 1, clock }).stream("greet"));
    expect(error).toBeUndefined();
    expect(chunks.map(textOf).join("")).toBe("Hi there! How are you today?");
  });
});
