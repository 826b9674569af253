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
  toolMessage,
} from "millrace";
import { openai, type OpenAIOptions } from "millrace/openai";
import { outcomeOf } from "../support/models.js";

const mock = new LLMock({ port: 0 });
/** In the words of either API. */
const usage = { prompt_tokens: 3, completion_tokens: 5, input_tokens: 3, output_tokens: 5 };
const weather = { city: "Oslo", days: [1, 2, 3], note: 'a "quoted" é😀' };

beforeAll(async () => {
  mock.on({ toolResultContains: "done:" }, { content: "It is cold." });
  mock.onMessage("greet", { content: "Hi there! How are you today?", usage }, { chunkSize: 3 });
  mock.onMessage("think", { content: "4", reasoning: "Two and two." }, { chunkSize: 2 });
  mock.onMessage("both", {
    content: "I look.",
    toolCalls: [
      { name: "weather", arguments: JSON.stringify(weather) },
      { name: "time", arguments: "{}" },
    ],
  });
  mock.onMessage("broken", { toolCalls: [{ name: "weather", arguments: '{"city": Oslo}' }] });
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

describe.each(["chat", "responses"] as const)("against a mock of OpenAI over HTTP, %s:", (api) => {
  function model(options: Partial<OpenAIOptions> = {}): ReturnType<typeof openai> {
    return openai({
      model: "gpt-4o",
      baseURL: `${mock.url}/v1`,
      apiKey: "mock",
      retries: 0,
      api,
      ...options,
    });
  }

  test("a text streams, with its usage", async () => {
    const messages = await collect(pipe(model().stream("greet"), mergeChunks()));
    expect(messages.length).toBeGreaterThan(8);
    expect(textOf(messages.at(-1)!)).toBe("Hi there! How are you today?");
    expect(messages.at(-1)).toMatchObject({ finishReason: "stop", model: "gpt-4o" });
    expect(messages.at(-1)?.usage).toMatchObject({ inputTokens: 3, outputTokens: 5, totalTokens: 8 });
  });

  test("reasoning comes apart from the text", async () => {
    const message = await last(pipe(model().stream("think"), mergeChunks()));
    expect([reasoningOf(message!), textOf(message!)]).toEqual(["Two and two.", "4"]);
  });

  test("a text and two tool calls come whole, and can be answered", async () => {
    const message = await last(pipe(model().stream("both"), mergeChunks()));
    expect(textOf(message!)).toBe("I look.");
    const calls = toolCallsOf(message!);
    expect(calls.map(({ name, args }) => [name, args])).toEqual([
      ["weather", weather],
      ["time", {}],
    ]);
    expect(message?.finishReason).toBe("tool_calls");

    const results = calls.map(({ id, name }) => toolMessage(`done: ${name}`, { toolCallId: id }));
    const answer = await last(pipe(model().stream(["both", message!, ...results]), mergeChunks()));
    expect(textOf(answer!)).toBe("It is cold.");
  });

  test("the broken arguments of a call are kept", async () => {
    const message = await last(pipe(model().stream("broken"), mergeChunks()));
    expect(message?.content).toMatchObject([
      { type: "invalid_tool_call", name: "weather", args: '{"city": Oslo}' },
    ]);
  });

  test("a stream that is disconnected has an error with what had arrived, and is not asked for again", async () => {
    mock.clearRequests();
    const { chunks, error } = await outcomeOf(model({ retries: 3 }).stream("cut"));
    const text = chunks.map(textOf).join("");
    expect(text).not.toBe("");
    expect("0123456789".repeat(10).startsWith(text)).toBe(true);
    expect(error).toMatchObject({ code: "cut", retryable: true });
    expect(textOf((error as ModelError).partial!)).toBe(text);
    expect(mock.getRequests()).toHaveLength(1);
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

  test.each([
    ["500s", { dropRate: 1 }, { code: "http", status: 500, retryable: true }],
    ["429 with Retry-After", { rateLimitRate: 1 }, { code: "http", status: 429, retryAfter: 1_000 }],
    ["malformed JSON", { malformedRate: 1 }, { code: "protocol", retryable: false }],
    ["disconnects", { disconnectRate: 1 }, { code: "network", retryable: true }],
  ])("when all goes wrong by %s, it is a typed error", async (_, chaos, expected) => {
    mock.setChaos(chaos);
    mock.clearRequests();
    const { chunks, error } = await outcomeOf(model({ retries: 2, clock: hasty }).stream("greet"));
    mock.clearChaos();
    expect(chunks).toEqual([]);
    expect(error).toMatchObject({ name: "ModelError", ...expected });
    expect(mock.getRequests()).toHaveLength((error as ModelError).retryable ? 3 : 1);
  });

  test("once it fails before its first token, the second attempt succeeds", async () => {
    mock.nextRequestError(503, { message: "Later" });
    const { chunks, error } = await outcomeOf(model({ retries: 1, clock: hasty }).stream("greet"));
    expect(error).toBeUndefined();
    expect(chunks.map(textOf).join("")).toBe("Hi there! How are you today?");
  });

  test("in the storm every answer is whole, or an error that says so", async () => {
    mock.setChaos({ dropRate: 0.2, rateLimitRate: 0.2, malformedRate: 0.1, disconnectRate: 0.2 });
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, () => outcomeOf(model({ retries: 1, clock: hasty }).stream("greet"))),
    );
    mock.clearChaos();
    for (const { chunks, error } of outcomes) {
      const text = chunks.map(textOf).join("");
      if (error === undefined) expect(text).toBe("Hi there! How are you today?");
      else expect([text, (error as ModelError).name]).toEqual(["", "ModelError"]);
    }
  });
});

/** Does not wait before a retry. */
const hasty = {
  now: () => 0,
  setTimeout: (wake: () => void, ms: number) => (ms > 60_000 ? undefined : setTimeout(wake)),
  clearTimeout: () => {},
};
