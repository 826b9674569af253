import { setTimeout as delay } from "node:timers/promises";
import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { type ModelError, textOf } from "millrace";
import { anthropic, type AnthropicOptions } from "millrace/anthropic";
import { outcomeOf, serving } from "../../../models/support/models.js";
import { type Answer, begin, status, type TestServer } from "../../../models/support/server.js";
import {
  answer,
  block,
  delta,
  end,
  finish,
  hello,
  start,
  helloEvents,
} from "../../../models/anthropic/support.js";

function modelAt(server: TestServer, options: Partial<AnthropicOptions> = {}): ReturnType<typeof anthropic> {
  return anthropic({
    model: "claude-test",
    baseURL: server.url,
    apiKey: "sk-ant-secret",
    maxRetries: 0,
    ...options,
  });
}

/** Waits end at once and are recorded. */
function impatient(): { readonly waits: number[]; readonly clock: AnthropicOptions["clock"] } {
  const waits: number[] = [];
  const clock = {
    now: () => 0,
    setTimeout: (wake: () => void, ms: number) => {
      waits.push(ms);
      return setTimeout(wake);
    },
    clearTimeout: (timer: unknown) => {
      clearTimeout(timer as NodeJS.Timeout);
    },
  };
  return { waits, clock };
}

describe("before a request is made", () => {
  test("a model and a web address are required", () => {
    expect(() => anthropic({ model: " ", apiKey: "k" })).toThrow(
      expect.objectContaining({ code: "no_model" }),
    );
    expect(() => anthropic({ model: "a", apiKey: "k", baseURL: "file:///v1" })).toThrow(
      expect.objectContaining({ code: "invalid_request" }),
    );
  });

  test("a key is required for Anthropic, but not for other servers", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", "");
    vi.stubEnv("ANTHROPIC_BASE_URL", "");
    expect((await outcomeOf(anthropic({ model: "a" }).stream("Hi"))).error).toMatchObject({ code: "no_key" });
    const fetch = (): Promise<Response> => Promise.resolve(new Response("seen", { status: 400 }));
    const withHeader = anthropic({ model: "a", headers: { Authorization: "Bearer x" }, fetch });
    expect((await outcomeOf(withHeader.stream("Hi"))).error).toMatchObject({ status: 400 });
    const server = await serving(hello);
    await outcomeOf(anthropic({ model: "a", baseURL: server.url }).stream("Hi"));
    expect(server.requests[0]?.headers["x-api-key"]).toBeUndefined();
    expect(server.requests[0]?.path).toBe("/v1/messages");
  });
});

describe("an invalid answer is an error:", () => {
  test.each<[string, Answer, object]>([
    [
      "an error with a status",
      status(
        401,
        {
          type: "error",
          error: { type: "authentication_error", message: "invalid x-api-key: sk-ant-secret" },
        },
        { "request-id": "req_7" },
      ),
      {
        code: "http",
        status: 401,
        providerCode: "authentication_error",
        requestId: "req_7",
        retryable: false,
      },
    ],
    [
      "an HTML page",
      (response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Log in</h1>"),
      { code: "protocol", excerpt: "<h1>Log in</h1>" },
    ],
    [
      "an error as JSON",
      status(200, { type: "error", error: { type: "billing_error", message: "No credit" } }),
      { code: "provider", providerCode: "billing_error" },
    ],
    ["a message without content as JSON", status(200, { type: "message" }), { code: "protocol" }],
    ["events of another provider", answer({ choices: [{ delta: { content: "Hi" } }] }), { code: "protocol" }],
    [
      "an incomplete event",
      (response) => response.end('event: message_start\ndata: {"type": "mess'),
      { code: "cut" },
    ],
    [
      "an error event that is not JSON",
      (response) => response.end("event: error\ndata: upstream failed\n\n"),
      { code: "provider", message: expect.stringContaining("upstream failed") as string },
    ],
  ])("%s", async (_, answer, expected) => {
    const { chunks, error } = await outcomeOf(modelAt(await serving(answer)).stream("Hi"));
    expect(chunks).toEqual([]);
    expect(error).toMatchObject({ name: "ModelError", ...expected });
    expect(inspect(error, { depth: 9 })).not.toContain("sk-ant-secret");
  });
});

describe("after its first token", () => {
  test("the error of a stream that fails has the unfinished tool call", async () => {
    const server = await serving(
      answer(
        start(),
        block({ type: "tool_use", id: "1", name: "f", input: {} }),
        delta({ type: "input_json_delta", partial_json: '{"a"' }),
      ),
    );
    const { error } = await outcomeOf(modelAt(server).stream("Hi"));
    expect((error as ModelError).partial?.content).toMatchObject([
      { type: "tool_call_chunk", id: "1", name: "f", args: '{"a"' },
    ]);
  });

  test("unknown events and blocks do not end the stream", async () => {
    const server = await serving(
      answer(start(), { type: "surprise", a: 1 }, block({ type: "dream", of: "sheep" }), finish(), end),
    );
    const { chunks, error } = await outcomeOf(modelAt(server).stream("Hi"));
    expect(error).toBeUndefined();
    expect(chunks).toMatchObject([
      {
        content: [{ type: "non_standard", value: { type: "dream", of: "sheep" } }],
        metadata: { surprise: { a: 1 } },
        finishReason: "stop",
      },
    ]);
  });
});

describe("a request is repeated before its first token after", () => {
  const passing = { type: "error", error: { type: "api_error", message: "Sorry" } };
  test.each<[string, Answer, number[]]>([
    ["a 529", status(529, {}), [500]],
    ["a 429 with retry-after", status(429, {}, { "retry-after": "3" }), [3_000]],
    ["the start of a message", answer(start(), block({ type: "text", text: "" })), [500]],
    ["a temporary error event", answer(start(), passing), [500]],
  ])("%s", async (_, first, expected) => {
    const { waits, clock } = impatient();
    const server = await serving(first, hello);
    const options = {
      maxRetries: 1,
      clock,
      random: () => 0,
      timeouts: { firstToken: Infinity, idle: Infinity },
    };
    const { chunks, error } = await outcomeOf(modelAt(server, options).stream("Hi"));
    expect(error).toBeUndefined();
    expect(chunks.map(textOf).join("")).toBe("Hello");
    expect(waits.filter((ms) => ms !== 1_000 && ms !== 2_000)).toEqual(expected);
    expect(server.requests).toHaveLength(2);
  });

  test("a request is not repeated after a permanent error", async () => {
    const wrong = { type: "error", error: { type: "invalid_request_error", message: "No" } };
    const server = await serving(answer(start(), wrong), hello);
    expect((await outcomeOf(modelAt(server, { maxRetries: 3 }).stream("Hi"))).error).toMatchObject({
      status: 400,
    });
    expect(server.requests).toHaveLength(1);
  });
});

test("the connection is closed when the message has stopped but the body has not ended", async () => {
  const server = await serving((response) => {
    begin(response, ...helloEvents);
  });
  const { chunks, error } = await outcomeOf(modelAt(server).stream("Hi"));
  expect([chunks.map(textOf).join(""), error]).toEqual(["Hello", undefined]);
  await server.requests[0]?.left;
});

test("a connection is reused for the next request", async () => {
  const server = await serving((response) => {
    begin(response, ...helloEvents);
    setTimeout(() => response.end(), 3);
  });
  for (let i = 0; i < 4; i++) {
    await outcomeOf(modelAt(server).stream("Hi"));
    await delay(20);
  }
  expect(server.requests).toHaveLength(4);
  expect(server.connections).toBeLessThan(4);
});
