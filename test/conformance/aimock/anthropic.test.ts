import { expect, test } from "vitest";
import { last, mergeChunks, type ModelError, pipe, textOf } from "millrace";
import { anthropic } from "millrace/anthropic";
import { mockSuite } from "./mock-suite.js";
import { outcomeOf } from "../../models/support/models.js";

mockSuite(
  "Anthropic",
  (url, options) => anthropic({ model: "claude-sonnet-4-5", baseURL: url, apiKey: "mock", ...options }),
  (mock, model) => {
    test("the message has the usage and the provider's finish reason", async () => {
      const message = await last(pipe(model().stream("greet"), mergeChunks()));
      expect(message).toMatchObject({
        providerFinishReason: "end_turn",
        usage: { inputTokens: 3, outputTokens: 5, totalTokens: 8 },
      });
    });

    test("a lost connection is an error with the received message, without a retry", async () => {
      const digits = "0123456789".repeat(10);
      mock.onMessage("gone", { content: digits }, { chunkSize: 5, latency: 5, disconnectAfterMs: 40 });
      mock.clearRequests();
      const { chunks, error } = await outcomeOf(model({ maxRetries: 3 }).stream("gone"));
      const text = chunks.map(textOf).join("");
      expect(text).not.toBe("");
      expect(digits.startsWith(text)).toBe(true);
      expect(error).toMatchObject({ code: "cut", retryable: true });
      expect(textOf((error as ModelError).partial!)).toBe(text);
      expect(mock.getRequests()).toHaveLength(1);
    });

    test("an overloaded provider and a rate limit have errors with the provider's text", async () => {
      const overloaded = { message: "Overloaded", type: "overloaded_error" };
      mock.onMessage("overloaded", { error: overloaded, status: 529 });
      const limited = { message: "Slow down", type: "rate_limit_error" };
      mock.onMessage("limited", { error: limited, status: 429, retryAfter: 7 });
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
  },
);
