import { setImmediate } from "node:timers/promises";
import { assistant, collect, last, mergeChunks, ModelError, pipe, user } from "millrace";
import { anthropic } from "millrace/anthropic";
import { gemini } from "millrace/gemini";
import { ollama } from "millrace/ollama";
import { openai, type OpenAIOptions } from "millrace/openai";
import { manualClock } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { errorOf, serving } from "../../models/support/models.js";

type Options = Omit<OpenAIOptions, "model" | "api"> & { readonly model: string };

const providers = {
  "Chat Completions": (options: Options) => openai({ ...options, api: "chat" }),
  Responses: (options: Options) => openai({ ...options, api: "responses" }),
  Anthropic: (options: Options) => anthropic(options),
  Gemini: (options: Options) => gemini(options),
  Ollama: (options: Options) => ollama(options),
};

type Provider = keyof typeof providers;

function modelFor(provider: Provider, answer: () => Response, options: Partial<Options> = {}) {
  return providers[provider]({
    model: "m-1",
    apiKey: "a-key-of-mine",
    baseURL: "http://localhost:1/v1",
    fetch: () => Promise.resolve(answer()),
    maxRetries: 0,
    ...options,
  });
}

const depth = 20_000;
const brackets = "[".repeat(depth) + "]".repeat(depth);
const braces = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

function stream(provider: Provider, ...payloads: readonly string[]): Response {
  const text = payloads.map((data) => (provider === "Ollama" ? `${data}\n` : `data: ${data}\n\n`)).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

const names = Object.keys(providers) as Provider[];

// G-models-10
describe.each(names)("%s: an answer nested 20,000 deep is a ModelError,", (provider) => {
  test.each([
    ["as the body", brackets],
    ["as the error", `{"error":${brackets}}`],
    ["as the error inside an array", `[{"error":${braces}}]`],
    ["as the message of the error", `{"error":{"message":${brackets},"code":${brackets},"type":${braces}}}`],
    ["as the detail", `{"detail":${brackets}}`],
  ])("with the status: %s", async (_name, body) => {
    for (const status of [400, 500]) {
      const error = await errorOf(modelFor(provider, () => new Response(body, { status })).stream("Hi"));
      expect(error).toMatchObject({ code: "http", status, retryable: status === 500 });
      expect(error.message.length).toBeLessThan(500);
      expect(error.excerpt?.length).toBeLessThanOrEqual(301);
    }
  });

  test.each([
    ["in place of a stream", brackets],
    ["as an error in place of a stream", `{"error":${brackets}}`],
  ])("%s", async (_name, body) => {
    const answer = () => new Response(body, { headers: { "content-type": "application/json" } });
    const error = await errorOf(modelFor(provider, answer).stream("Hi"));
    expect(error).toMatchObject({ status: 200 });
    expect(error.message.length).toBeLessThan(500);
  });

  test.each([
    ["as an error event", `{"type":"error","error":${braces}}`],
    ["as the message of an error event", `{"type":"error","error":{"message":${brackets}}}`],
    ["as an event", brackets],
    ["as an unknown event", braces],
    ["as the type of an event", `{"type":${brackets},"delta":{"type":${brackets}}}`],
  ])("%s", async (_name, payload) => {
    const error = await errorOf(modelFor(provider, () => stream(provider, payload)).stream("Hi"));
    expect(error.message.length).toBeLessThan(500);
  });
});

const withDeepArguments: Readonly<Record<Provider, readonly string[]>> = {
  "Chat Completions": [
    `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":${braces}}}]}}]}`,
    `{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`,
  ],
  Responses: [
    `{"type":"response.output_item.done","output_index":0,"item":{"type":"tool_search_call","id":"1","arguments":${braces}}}`,
    `{"type":"response.completed","response":{"status":"completed"}}`,
  ],
  Anthropic: [
    `{"type":"message_start","message":{"content":[]}}`,
    `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"1","name":"f","input":${braces}}}`,
    `{"type":"content_block_stop","index":0}`,
    `{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`,
    `{"type":"message_stop"}`,
  ],
  Gemini: [
    `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":${braces}}}]},"finishReason":"STOP"}]}`,
  ],
  Ollama: [
    `{"message":{"tool_calls":[{"function":{"name":"f","arguments":${braces}}}]}}`,
    `{"done":true,"done_reason":"stop"}`,
  ],
};

test.each(names)("%s: arguments that arrive as a deep object become an invalid call", async (provider) => {
  const model = modelFor(provider, () => stream(provider, ...withDeepArguments[provider]));
  const message = await last(pipe(model.stream("Hi"), mergeChunks()));
  const [block] = message?.content ?? [];
  // A call of a tool that the provider runs is kept as it arrived.
  expect(block?.type).toBe(provider === "Responses" ? "server_tool_call_chunk" : "invalid_tool_call");
  expect(block).toMatchObject({ args: braces });
});

const withDeepMetadata: Readonly<Record<Provider, readonly string[]>> = {
  "Chat Completions": [
    `{"x":${braces},"choices":[{"y":${brackets},"delta":{"content":"Hi","z":${braces}},"finish_reason":"stop"}]}`,
  ],
  Responses: [
    `{"type":"response.output_item.done","output_index":0,"item":{"type":"other","x":${braces}}}`,
    `{"type":"response.completed","response":{"status":"completed","moderation":${brackets}}}`,
  ],
  Anthropic: [
    `{"type":"message_start","message":{"content":[{"type":"other","x":${braces}}],"y":${brackets}}}`,
    `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"z":${braces}}`,
    `{"type":"message_stop"}`,
  ],
  Gemini: [
    `{"candidates":[{"content":{"parts":[{"x":${braces}},{"text":"Hi"}]},"safetyRatings":${brackets},"finishReason":"STOP",` +
      `"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u","x":${braces}}}]}}]}`,
  ],
  Ollama: [`{"message":{"content":"Hi"},"logprobs":[${brackets}]}`, `{"done":true,"done_reason":"stop"}`],
};

describe.each(names)("%s: unknown fields nested 20,000 deep", (provider) => {
  test("are no error", async () => {
    const model = modelFor(provider, () => stream(provider, ...withDeepMetadata[provider]));
    expect(await collect(model.stream("Hi"))).not.toEqual([]);
  });

  test("before an error are in its partial message", async () => {
    const payloads = withDeepMetadata[provider]
      .slice(0, 1)
      .map((it) => it.replace(/"finish_?reason":"stop"/i, '"x":1'));
    const model = modelFor(provider, () =>
      stream(provider, ...payloads, `{"type":"error","error":"it failed"}`),
    );
    expect((await errorOf(model.stream("Hi"))).code).toMatch(/^(?:provider|cut)$/);
  });
});

test.each(names)("%s: messages that cannot be written as JSON are a ModelError", async (provider) => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const call = { type: "tool_call", id: "1", name: "f", args: cycle } as never;
  const model = modelFor(provider, () => stream(provider));
  const error = await errorOf(model.stream([user("Hi"), assistant([call]), user("Go on.")]));
  expect(error.code).toMatch(/^(?:invalid_request|protocol)$/);
});

function body(provider: Provider, text: string | Uint8Array<ArrayBuffer>): Response {
  const type = provider === "Ollama" ? "application/x-ndjson" : "text/event-stream";
  return new Response(text, { headers: { "content-type": type } });
}

const smallAnswers: Readonly<Record<Provider, string>> = {
  "Chat Completions":
    ': hi\n\ndata: {"choices":[{"delta":{"content":"aé"}}]}\n\n' +
    'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  Responses:
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","output_index":0,"delta":"aé"}\n\n' +
    'event: response.completed\ndata: {"type":"response.completed","response":{"status":"completed"}}\n\n',
  Anthropic:
    'event: message_start\ndata: {"type":"message_start","message":{"content":[]}}\n\n' +
    "id: 1\nretry: 9\nevent: content_block_delta\n" +
    'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"aé"}}\n\n' +
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n' +
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  Gemini:
    'data: {"candidates":[{"content":{"parts":[{"text":"aé"}]}}]}\r\n\r\n' +
    'data: {"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}]}\r\n\r\ndata: [DONE]\r\n\r\n',
  Ollama: '{"message":{"content":"aé"}}\n{"done":true,"done_reason":"stop"}\n',
};

const wholeAnswer = expect.objectContaining({ finishReason: "stop" }) as unknown;

test.each(["", "d", "dat", "data", "data:", "data: ", "data: [", "data: [D", "data: [DONE"])(
  "an answer with a finish reason is complete, even if %j follows",
  async (rest) => {
    for (const provider of ["Chat Completions", "Gemini"] as const) {
      const text = smallAnswers[provider].replace(/data: \[DONE\]\s+$/, rest);
      expect(await last(modelFor(provider, () => body(provider, text)).stream("Hi"))).toEqual(wholeAnswer);
    }
  },
);

test.each(["data:\n\n", "event: ping\ndata:\n\n", "id: 1\ndata: \ndata:\n\n"])(
  "the event %j without data is skipped",
  async (event) => {
    for (const provider of ["Chat Completions", "Responses", "Anthropic", "Gemini"] as const) {
      const text = event + smallAnswers[provider].replaceAll(/(?:\r?\n){2}/g, `$&${event}`);
      expect(await last(modelFor(provider, () => body(provider, text)).stream("Hi"))).toEqual(wholeAnswer);
    }
  },
);

test("an error event without data is an error", async () => {
  const error = await errorOf(
    modelFor("Anthropic", () => body("Anthropic", "event: error\ndata:\n\n")).stream("Hi"),
  );
  expect(error.code).toBe("provider");
});

// G-models-11
describe("the body of an error that never ends", () => {
  test.each(names)(
    "%s: is read for a moment, and the error has the status and what arrived",
    async (provider) => {
      const clock = manualClock();
      const endless = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode("Overloaded, please"));
        },
      });
      const failing = errorOf(
        modelFor(provider, () => new Response(endless, { status: 529 }), { clock }).stream("Hi"),
      );
      await setImmediate();
      clock.advance(2_000);
      const error = await failing;
      expect(error).toMatchObject({
        code: "http",
        status: 529,
        retryable: true,
        excerpt: "Overloaded, please",
      });
    },
  );

  test("may arrive drop by drop, or be endlessly long", async () => {
    let sent = 0;
    const long = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent++;
        controller.enqueue(new TextEncoder().encode("x".repeat(1_000)));
      },
    });
    const error = await errorOf(
      modelFor("Anthropic", () => new Response(long, { status: 500 })).stream("Hi"),
    );
    expect(error).toMatchObject({ code: "http", status: 500 });
    expect(sent).toBeLessThan(80);

    const clock = manualClock();
    const slow = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        clock.advance(300);
        controller.enqueue(new TextEncoder().encode("."));
        await setImmediate();
      },
    });
    const other = await errorOf(
      modelFor("Gemini", () => new Response(slow, { status: 503 }), { clock }).stream("Hi"),
    );
    expect(other).toMatchObject({ code: "http", status: 503 });
  });

  test("may ignore that it is cancelled", async () => {
    const clock = manualClock();
    const stubborn = new ReadableStream<Uint8Array>({ cancel: () => new Promise(() => {}) });
    const failing = errorOf(
      modelFor("Ollama", () => new Response(stubborn, { status: 500 }), { clock }).stream("Hi"),
    );
    await setImmediate();
    clock.advance(2_000);
    expect(await failing).toMatchObject({ code: "http", status: 500, excerpt: "" });
  });

  test("of a page or a document in place of a stream is read in the same way", async () => {
    const clock = manualClock();
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode("<h1>Sign in"));
      },
    });
    const answer = () => new Response(endless, { headers: { "content-type": "text/html" } });
    const failing = errorOf(modelFor("Chat Completions", answer, { clock }).stream("Hi"));
    await setImmediate();
    clock.advance(2_000);
    expect(await failing).toMatchObject({ code: "protocol", status: 200, excerpt: "<h1>Sign in" });
  });

  test("is left, and the connection is closed", async () => {
    const server = await serving((response) => {
      response.writeHead(500).write("Internal");
    });
    const clock = manualClock();
    const failing = errorOf(
      openai({ model: "m-1", apiKey: "a-key-of-mine", baseURL: server.url, maxRetries: 0, clock }).stream(
        "Hi",
      ),
    );
    while (server.requests.length === 0) await setImmediate();
    // The timer of the body is set once the headers have arrived.
    for (let turn = 0; turn < 1_000 && clock.timers < 2; turn++) await setImmediate();
    clock.advance(2_000);
    expect(await failing).toMatchObject({ code: "http", status: 500 });
    await server.requests[0]?.left;
  });
});

test("an error of fetch() that cannot be read is a ModelError", async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const thrown of [proxy, Object.create(null), undefined, 1n, Symbol("s"), { toString: 1 }]) {
    const model = openai({
      model: "m-1",
      apiKey: "a-key-of-mine",
      maxRetries: 0,
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      fetch: () => Promise.reject(thrown),
    });
    const error = await errorOf(model.stream("Hi"));
    expect(error).toBeInstanceOf(ModelError);
    expect(error.code).toBe("network");
  }
});

// G-models-10
describe.each(names)("%s: a fetch that does not return a readable Response is a ModelError:", (provider) => {
  const read = new Response("x");
  void read.text();
  test.each<[string, unknown]>([
    ["null", null],
    ["undefined", undefined],
    ["a text", "data: {}"],
    ["an object", {}],
    ["no headers", { ok: true, status: 200, body: null }],
    ["plain headers", { ok: false, status: 500, headers: {}, body: null }],
    ["no body", { ok: true, status: 200, headers: new Headers() }],
    ["a text as the body", { ok: true, status: 200, headers: new Headers(), body: "data: {}" }],
    ["a body that was read", read],
  ])("%s", async (_name, answer) => {
    const error = await errorOf(modelFor(provider, () => answer as Response).stream("Hi"));
    expect(error).toMatchObject({ name: "ModelError", code: "protocol" });
    expect(error.message).toMatch(/fetch .*returned .*Response/);
  });
});

test("an error after more blocks than a message may have is still the error of the model", async () => {
  const block = (index: number): string =>
    JSON.stringify({ type: "content_block_start", index, content_block: { type: "text", text: "a" } });
  const blocks = Array.from({ length: 10_001 }, (_, index) => block(index));
  const failure = JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "Busy" } });
  const error = await errorOf(
    modelFor("Anthropic", () => stream("Anthropic", ...blocks, failure)).stream("Hi"),
  );
  expect(error).toMatchObject({ name: "ModelError", message: expect.stringContaining("Busy") as string });
  expect(error.partial).toBeUndefined();
});
