import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type ModelError, textOf } from "millrace";
import { type Answer, begin } from "../../models/support/server.js";
import { errorOf, modelAt, outcomeOf, serving } from "../../models/support/models.js";

const created = { type: "response.created", response: { id: "resp_1", status: "in_progress" } };
const text = (delta: string): object => ({
  type: "response.output_text.delta",
  output_index: 0,
  content_index: 0,
  delta,
});
const completed = { type: "response.completed", response: { id: "resp_1", status: "completed" } };

/** Starts an answer that the test continues. */
function after(events: readonly object[], then: Answer): Answer {
  return (response, ...rest) => {
    begin(response, created, ...events);
    return then(response, ...rest);
  };
}

const api = "responses";

describe("a response over HTTP", () => {
  test("is requested at its path, and its connection is reused", async () => {
    const server = await serving((response) => {
      begin(response, created, text("Hel"), text("lo"), completed);
      setTimeout(() => response.end(), 3);
    });
    for (let i = 0; i < 5; i++) {
      const { chunks, error } = await outcomeOf(modelAt(server, { api }).stream("Hi"));
      expect([chunks.map(textOf).join(""), error]).toEqual(["Hello", undefined]);
      await delay(20);
    }
    expect(server.requests.map(({ path }) => path)).toEqual(Array(5).fill("/v1/responses"));
    expect(server.connections).toBeLessThan(5);
  });

  test("is closed when the consumer leaves", async () => {
    const server = await serving(after([text("a")], () => {}));
    for await (const chunk of modelAt(server, { api }).stream("Hi")) {
      expect(textOf(chunk)).toBe("a");
      break;
    }
    await server.requests[0]?.left;
  });

  test.each([
    ["ends early", (response) => response.end(), "cut", true],
    ["is destroyed", (response) => setTimeout(() => response.destroy(), 5), "cut", true],
    ["ends inside an event", (response) => response.end('data: {"type": "resp'), "cut", true],
    ["has invalid text", (response) => response.end("data: <html>\n\n"), "protocol", false],
    [
      "fails",
      (response) => {
        begin(response, { type: "response.failed", response: { error: { code: "server_error" } } });
        response.end();
      },
      "provider",
      true,
    ],
    [
      "has an error event",
      (response) => {
        response.end('event: error\ndata: {"type":"error","code":"server_error","message":"Oops"}\n\n');
      },
      "provider",
      true,
    ],
  ] as [string, Answer, string, boolean][])(
    "that %s in the middle is an error with the received message, without a retry",
    async (_, then, code, retryable) => {
      const server = await serving(after([text("Hel"), text("lo")], then));
      const { chunks, error } = await outcomeOf(modelAt(server, { api, maxRetries: 3 }).stream("Hi"));
      expect(chunks.map(textOf).join("")).toBe("Hello");
      expect(error).toMatchObject({ code, retryable, requestId: "req_1" });
      expect(textOf((error as ModelError).partial!)).toBe("Hello");
      expect(server.requests).toHaveLength(1);
    },
  );

  test("that fails before its first token is requested again", async () => {
    const clock = {
      now: () => 0,
      setTimeout: (wake: () => void) => setTimeout(wake),
      clearTimeout: () => {},
    };
    const timeouts = { firstToken: Infinity, idle: Infinity };
    const failing = after([], (response) => {
      begin(response, { type: "error", code: "server_error", message: "Oops" });
      response.end();
    });
    const server = await serving(
      failing,
      after([text("Hello"), completed], (response) => response.end()),
    );
    const model = modelAt(server, { api, maxRetries: 1, clock, timeouts });
    const { chunks, error } = await outcomeOf(model.stream("Hi"));
    expect([chunks.map(textOf).join(""), error]).toEqual(["Hello", undefined]);
    expect(server.requests).toHaveLength(2);
  });

  test("with a permanent error is requested once, and the error contains no key", async () => {
    const server = await serving(
      after([], (response) => {
        begin(response, {
          type: "error",
          code: "insufficient_quota",
          message: "No credit for sk-secret-key",
        });
        response.end();
      }),
    );
    const error = await errorOf(modelAt(server, { api, maxRetries: 3 }).stream("Hi"));
    expect(error).toMatchObject({ code: "provider", providerCode: "insufficient_quota", retryable: false });
    expect(error.message).toMatch(/No credit for \[key\]$/);
    expect(server.requests).toHaveLength(1);
  });
});
