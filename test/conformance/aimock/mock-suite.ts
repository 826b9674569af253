import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ChatModel,
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
import type { ProviderOptions } from "millrace/models";
import { outcomeOf } from "../../models/support/models.js";

/** Options of a provider's model for one test. */
export type MockOptions = Pick<ProviderOptions, "maxRetries" | "clock">;

/**
 * Tests of every provider against a mock over HTTP, including the mock's chaos mode.
 *
 * @param create creates a model at the mock's address, which has no path
 * @param more further tests against the same mock
 */
export function mockSuite(
  name: string,
  create: (url: string, options: MockOptions) => ChatModel,
  more: (mock: LLMock, model: (options?: MockOptions) => ChatModel) => void = () => {},
): void {
  describe(`against a mock of ${name} over HTTP:`, () => {
    const mock = new LLMock({ port: 0 });
    const model = (options: MockOptions = {}): ChatModel => create(mock.url, { maxRetries: 0, ...options });

    beforeAll(async () => {
      mock.on({ toolResultContains: "done:" }, { content: "It is cold." });
      mock.onMessage("greet", { content: greeting, usage }, { chunkSize: 3 });
      mock.onMessage("think", { content: "4", reasoning: "Two and two." }, { chunkSize: 2 });
      mock.onMessage("both", {
        content: "I look.",
        toolCalls: [
          { name: "weather", arguments: JSON.stringify(weather) },
          { name: "time", arguments: "{}" },
        ],
      });
      mock.onMessage("cut", { content: digits }, { chunkSize: 5, latency: 5, truncateAfterChunks: 6 });
      await mock.start();
    });

    afterAll(async () => {
      await mock.stop();
    });

    test("streams a text", async () => {
      const messages = await collect(pipe(model().stream("greet"), mergeChunks()));
      expect(messages.length).toBeGreaterThan(8);
      expect(textOf(messages.at(-1)!)).toBe(greeting);
      expect(messages.at(-1)?.finishReason).toBe("stop");
      expect(messages.at(-1)?.usage).toBeDefined();
    });

    test("separates reasoning from the text", async () => {
      const message = await last(pipe(model().stream("think"), mergeChunks()));
      expect([reasoningOf(message!), textOf(message!)]).toEqual(["Two and two.", "4"]);
    });

    test("streams a text and two tool calls, and accepts their results", async () => {
      const message = await last(pipe(model().stream("both"), mergeChunks()));
      expect(textOf(message!)).toBe("I look.");
      const calls = toolCallsOf(message!);
      expect(calls.map((call) => [call.name, call.args])).toEqual([
        ["weather", weather],
        ["time", {}],
      ]);
      expect(message?.finishReason).toBe("tool_calls");

      const results = calls.map((call) => toolMessage(`done: ${call.name}`, { toolCallId: call.id }));
      const answer = await last(pipe(model().stream(["both", message!, ...results]), mergeChunks()));
      expect(textOf(answer!)).toBe("It is cold.");
    });

    test("a lost connection is an error with the received message, without a retry", async () => {
      mock.clearRequests();
      const { chunks, error } = await outcomeOf(model({ maxRetries: 3 }).stream("cut"));
      const text = chunks.map(textOf).join("");
      expect(text).not.toBe("");
      expect(digits.startsWith(text)).toBe(true);
      expect(error).toMatchObject({ code: "cut", retryable: true });
      expect(textOf((error as ModelError).partial!)).toBe(text);
      expect(mock.getRequests()).toHaveLength(1);
    });

    test("an unknown prompt is an http error", async () => {
      expect((await outcomeOf(model().stream("what?"))).error).toMatchObject({ code: "http", status: 404 });
    });

    test("sends the whole conversation", async () => {
      const input = [{ role: "developer", content: "Be kind." }, "greet"] as const;
      await outcomeOf(model().stream(input, { temperature: 0.5 }));
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
    ])("permanent chaos of the kind %s is a typed error after the retries", async (_, chaos, expected) => {
      mock.setChaos(chaos);
      mock.clearRequests();
      const { chunks, error } = await outcomeOf(model({ maxRetries: 2, clock: hasty }).stream("greet"));
      mock.clearChaos();
      expect(chunks).toEqual([]);
      expect(error).toMatchObject({ name: "ModelError", ...expected });
      expect(mock.getRequests()).toHaveLength((error as ModelError).retryable ? 3 : 1);
    });

    test.each([503, 529])(
      "one failure with %d before the first token leads to a successful retry",
      async (status) => {
        mock.nextRequestError(status, { message: "Later" });
        const { chunks, error } = await outcomeOf(model({ maxRetries: 1, clock: hasty }).stream("greet"));
        expect(error).toBeUndefined();
        expect(chunks.map(textOf).join("")).toBe(greeting);
      },
    );

    test("with random chaos, every answer is complete or an error", async () => {
      mock.setChaos({ dropRate: 0.2, rateLimitRate: 0.2, malformedRate: 0.1, disconnectRate: 0.2 });
      const asked = Array.from({ length: 24 }, () =>
        outcomeOf(model({ maxRetries: 1, clock: hasty }).stream("greet")),
      );
      const outcomes = await Promise.all(asked);
      mock.clearChaos();
      for (const { chunks, error } of outcomes) {
        const text = chunks.map(textOf).join("");
        if (error === undefined) expect(text).toBe(greeting);
        else expect([text, (error as ModelError).name]).toEqual(["", "ModelError"]);
      }
    });

    more(mock, model);
  });
}

const greeting = "Hi there! How are you today?";
const digits = "0123456789".repeat(10);
const weather = { city: "Oslo", days: [1, 2, 3], note: 'a "quoted" é😀' };
/** The format of each API that the mock supports. */
const usage = { prompt_tokens: 3, completion_tokens: 5, input_tokens: 3, output_tokens: 5 };

/** Retries without delays, and has no timeouts. */
const hasty = {
  now: () => 0,
  setTimeout: (wake: () => void, ms: number) => (ms > 60_000 ? undefined : setTimeout(wake)),
  clearTimeout: () => {},
};
