import {
  collect,
  createAgent,
  generateObject,
  type MessageChunk,
  ModelError,
  tool,
  toolCallsOf,
} from "millrace";
import { anthropic } from "millrace/anthropic";
import { gemini } from "millrace/gemini";
import type { ProviderOptions } from "millrace/models";
import { ollama } from "millrace/ollama";
import { openai } from "millrace/openai";
import { everyWay } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { errorOf, serving } from "../../models/support/models.js";
import { responseOf } from "../../support/provider-events.js";
import type { ChatModel } from "millrace";
import type { Answer } from "../../models/support/server.js";

/** A server that answers with whole documents, and how its stream looks. */
interface WholeServer {
  readonly name: string;
  readonly model: (options: ProviderOptions) => ChatModel;
  /** An answer with this text and, unless it is empty, a call of the tool `add` with these arguments. */
  readonly says: (text: string, args?: object) => object;
  readonly asked: object;
  readonly path: string;
  /** One event of a stream with the text "Hi", and its end. */
  readonly streamed: readonly object[];
}

const call = (args: object): object => ({
  ...{ id: "call_1", type: "function" },
  function: { name: "add", arguments: JSON.stringify(args) },
});

const servers: readonly WholeServer[] = [
  {
    name: "Chat Completions",
    model: openai,
    says: (content, args) => ({
      ...{ id: "r-1", object: "chat.completion", created: 1, model: "m-1" },
      choices: [
        {
          index: 0,
          message: {
            ...{ role: "assistant", content, refusal: null, annotations: [] },
            ...(args && { tool_calls: [call(args)] }),
          },
          logprobs: null,
          finish_reason: args === undefined ? "stop" : "tool_calls",
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    }),
    asked: { stream: false },
    path: "/v1/chat/completions",
    streamed: [{ choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] }],
  },
  {
    name: "Responses",
    model: (options) => openai({ ...options, api: "responses" }),
    says: (text, args) => ({
      ...{ id: "r-1", object: "response", created_at: 1, status: "completed", error: null, model: "m-1" },
      output: [
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          content: [{ type: "output_text", text, annotations: [] }],
        },
        ...(args === undefined
          ? []
          : [
              {
                ...{ type: "function_call", id: "fc_1", call_id: "call_1", status: "completed" },
                ...{ name: "add", arguments: JSON.stringify(args) },
              },
            ]),
      ],
      usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
    }),
    asked: { stream: false },
    path: "/v1/responses",
    streamed: [
      { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hi" },
      { type: "response.completed", response: { status: "completed" } },
    ],
  },
  {
    name: "Anthropic",
    model: anthropic,
    says: (text, input) => ({
      ...{ id: "r-1", type: "message", role: "assistant", model: "m-1" },
      content: [
        { type: "text", text },
        ...(input === undefined ? [] : [{ type: "tool_use", id: "call_1", name: "add", input }]),
      ],
      ...{ stop_reason: input === undefined ? "end_turn" : "tool_use", stop_sequence: null },
      usage: { input_tokens: 3, output_tokens: 2 },
    }),
    asked: { stream: false },
    path: "/v1/messages",
    streamed: [
      { type: "message_start", message: { id: "m", content: [] } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
      { type: "message_stop" },
    ],
  },
  {
    name: "Gemini",
    model: gemini,
    says: (text, args) => ({
      candidates: [
        {
          content: {
            role: "model",
            parts: [
              { text },
              ...(args === undefined ? [] : [{ functionCall: { id: "call_1", name: "add", args } }]),
            ],
          },
          finishReason: "STOP",
        },
      ],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
      ...{ modelVersion: "m-1", responseId: "r-1" },
    }),
    asked: {},
    path: "/v1/models/m-1:generateContent",
    streamed: [{ candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }] }],
  },
  {
    name: "Ollama",
    model: ollama,
    says: (content, args) => ({
      ...{ model: "m-1", created_at: "2026-11-28T09:00:00Z" },
      message: {
        ...{ role: "assistant", content },
        ...(args && { tool_calls: [{ id: "call_1", function: { name: "add", arguments: args } }] }),
      },
      ...{ done: true, done_reason: "stop", prompt_eval_count: 3, eval_count: 2 },
    }),
    asked: { stream: false },
    path: "/v1/api/chat",
    streamed: [{ message: { content: "Hi" } }, { done: true, done_reason: "stop" }],
  },
];

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** A model whose requests all get this body. */
function answeredWith(
  { model }: WholeServer,
  body: string | readonly Uint8Array<ArrayBuffer>[],
  type = "application/json",
): ChatModel {
  const fetch = async (): Promise<Response> => {
    const { body: stream } = responseOf(typeof body === "string" ? [bytes(body)] : body);
    return new Response(stream, { headers: { "content-type": type } });
  };
  return model({ model: "m-1", apiKey: "an example", maxRetries: 0, fetch });
}

const json =
  (value: unknown): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  };

describe.each(servers)("$name: an answer that does not stream", (server) => {
  const whole = server.says("Let me add.", { a: 1, b: [2] });
  const expected = {
    ...{ role: "assistant", model: "m-1", finishReason: "tool_calls" },
    content: [
      { type: "text", text: "Let me add." },
      { type: "tool_call", id: "call_1", name: "add", args: { a: 1, b: [2] } },
    ],
    usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
  };

  test("has the text, the call, the usage and the finish reason", async () => {
    expect(await answeredWith(server, JSON.stringify(whole)).invoke("Add")).toMatchObject(expected);
  });

  test("is read whatever its type, its line breaks and its pieces", async () => {
    const lines = `\n\n ${JSON.stringify(whole, null, 2)}\n`;
    for (const pieces of everyWay(bytes(lines), { count: 3 })) {
      const message = await answeredWith(server, pieces, "text/event-stream").invoke("Add");
      expect(message).toMatchObject(expected);
    }
  });

  test("may be the only event of a stream", async () => {
    if (server.name === "Ollama") return;
    const text = `data: ${JSON.stringify(whole)}\n\ndata: [DONE]\n\n`;
    expect(await answeredWith(server, text, "text/event-stream").invoke("Add")).toMatchObject(expected);
  });

  test("is asked for with stream: false", async () => {
    const { url, requests } = await serving(json(server.says("Hi")));
    const model = server.model({ model: "m-1", apiKey: "an example", baseURL: url, stream: false });
    expect(await model.invoke("Hello")).toMatchObject({
      content: [{ type: "text", text: "Hi" }],
      finishReason: "stop",
    });
    const [request] = requests;
    expect(request?.path).toBe(server.path);
    expect(request?.headers.accept).toBe("application/json");
    expect(request?.body).toMatchObject(server.asked);
    expect(request?.body).not.toHaveProperty("stream_options");
  });

  test("runs the tools of an agent once, and fills an object", async () => {
    const { url } = await serving(json(whole), json(server.says("3")));
    const model = server.model({ model: "m-1", apiKey: "an example", baseURL: url, stream: false });
    const sums: unknown[] = [];
    const add = tool({
      ...{ name: "add", description: "Adds", schema: z.object({ a: z.int(), b: z.array(z.int()) }) },
      run: (args) => {
        sums.push(args);
        return "3";
      },
    });
    const { state } = await createAgent({ model, tools: [add] }).invoke("Add");
    expect(sums).toEqual([{ a: 1, b: [2] }]);
    expect(state.status).toBe("finished");

    const dish = answeredWith(server, JSON.stringify(server.says('{"dish": "soup"}')));
    const profiled = { ...dish, profile: { ...dish.profile, structuredOutput: true } };
    const { object } = await generateObject({
      model: profiled,
      schema: z.object({ dish: z.string() }),
      prompt: "Eat",
    });
    expect(object).toEqual({ dish: "soup" });
  });

  test.each([
    [
      "an error",
      { error: { message: "The model is busy", type: "server_error", code: 503 } },
      "provider",
      true,
    ],
    ["an error in words", { error: "no such model" }, "provider", false],
    ["a detail", { detail: "not here" }, "provider", false],
    ["something else", { hello: "world" }, "protocol", false],
    ["an empty object", {}, "protocol", false],
    ["an empty list", [], "protocol", false],
  ])("that is %s ends in a ModelError", async (_, body, code, retryable) => {
    const error = await errorOf(answeredWith(server, JSON.stringify(body)).stream("Hi"));
    expect(error).toMatchObject({ code, retryable, status: 200, excerpt: JSON.stringify(body) });
  });

  test("that is cut anywhere ends in an error that may be retried", async () => {
    const text = JSON.stringify(whole);
    for (let length = 1; length < text.length; length += 7) {
      const error = await errorOf(answeredWith(server, text.slice(0, length)).stream("Hi"));
      expect(error).toMatchObject({ code: "cut", retryable: true });
    }
  });

  test("and is no JSON after its beginning is a protocol error", async () => {
    const error = await errorOf(answeredWith(server, `{"a": nothing`).stream("Hi"));
    expect(error).toMatchObject({ code: "protocol" });
  });

  test("a stream with the type of a document is a stream", async () => {
    const text = server.streamed.map((event) =>
      server.name === "Ollama" ? `${JSON.stringify(event)}\n` : `data: ${JSON.stringify(event)}\n\n`,
    );
    for (const pieces of everyWay(bytes(text.join("")), { count: 3 })) {
      const chunks: MessageChunk[] = await collect(answeredWith(server, pieces).stream("Hi"));
      expect(chunks.flatMap(({ content }) => content)).toMatchObject([{ type: "text", text: "Hi" }]);
      expect(chunks.at(-1)?.finishReason).toBe("stop");
    }
  });
});

test("Gemini: an array of responses, as without alt=sse, is one answer", async () => {
  const part = (text: string): object => ({ candidates: [{ content: { parts: [{ text }] } }] });
  const body = [part("Hel"), part("lo"), { candidates: [{ finishReason: "STOP" }] }];
  const gemini = servers[3] as WholeServer;
  expect(await answeredWith(gemini, JSON.stringify(body)).invoke("Hi")).toMatchObject({
    content: [{ type: "text", text: "Hello" }],
    finishReason: "stop",
  });
  const failing = [part("Hel"), { error: { code: 500, message: "internal", status: "INTERNAL" } }];
  const error = await errorOf(answeredWith(gemini, JSON.stringify(failing)).stream("Hi"));
  expect(error).toMatchObject({ code: "provider", partial: { content: [{ text: "Hel" }] } });
});

test("Anthropic: thoughts and results of its tools keep what sends them back", async () => {
  const content = [
    { type: "thinking", thinking: "Hm.", signature: "c2ln" },
    { type: "redacted_thinking", data: "ZGF0YQ==" },
    { type: "server_tool_use", id: "s_1", name: "web_search", input: { query: "tea" } },
    { type: "web_search_tool_result", tool_use_id: "s_1", content: [] },
    { type: "text", text: "Tea", citations: [] },
    { type: "tool_use", id: "call_1", name: "now", input: {} },
  ];
  const body = {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m-1",
    content,
    stop_reason: "tool_use",
  };
  const message = await answeredWith(servers[2] as WholeServer, JSON.stringify(body)).invoke("Hi");
  expect(message.content).toMatchObject([
    { type: "reasoning", reasoning: "Hm.", metadata: { signature: "c2ln" } },
    { type: "reasoning", metadata: { data: "ZGF0YQ==" } },
    { type: "server_tool_call", id: "s_1", args: { query: "tea" } },
    { type: "server_tool_result", toolCallId: "s_1" },
    { type: "text", text: "Tea" },
    { type: "tool_call", id: "call_1", args: {} },
  ]);
});

test.each([
  ["failed", { code: "server_error", message: "It broke" }, undefined],
  ["incomplete", null, "length"],
])("Responses: a document whose status is %s", async (status, error, finishReason) => {
  const output = [{ type: "message", id: "m", content: [{ type: "output_text", text: "Hel" }] }];
  const details = { incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null };
  const model = answeredWith(
    servers[1] as WholeServer,
    JSON.stringify({ object: "response", status, error, output, ...details }),
  );
  if (finishReason === undefined) {
    expect(await errorOf(model.stream("Hi"))).toMatchObject({ code: "provider", retryable: true });
  } else expect(await model.invoke("Hi")).toMatchObject({ finishReason, content: [{ text: "Hel" }] });
});

test("Chat Completions: calls without ids, and several of them, are calls of their own", async () => {
  const calls = [1, 2].map((a) => ({ type: "function", function: { name: "add", arguments: `{"a":${a}}` } }));
  const body = {
    choices: [{ message: { role: "assistant", content: null, tool_calls: calls }, finish_reason: "stop" }],
  };
  const message = await answeredWith(servers[0] as WholeServer, JSON.stringify(body)).invoke("Hi");
  expect(toolCallsOf(message).map(({ args }) => args)).toEqual([{ a: 1 }, { a: 2 }]);
});

test("Chat Completions and Ollama: a document without the reason of its end is complete", async () => {
  const message = { role: "assistant", content: "Hi" };
  for (const [index, body] of [
    [0, { choices: [{ message }] }],
    [4, { message }],
  ] as const) {
    const model = answeredWith(servers[index] as WholeServer, JSON.stringify(body, null, 2));
    expect(await model.invoke("Hello")).toMatchObject({ content: [{ text: "Hi" }] });
  }
});

test("an endless document ends with max_buffer", async () => {
  const megabyte = bytes("[".padEnd(2 ** 20, " "));
  const pieces = Array.from({ length: 18 }, () => megabyte);
  const error = await errorOf(answeredWith(servers[0] as WholeServer, pieces).stream("Hi"));
  expect(error).toBeInstanceOf(ModelError);
  expect(error.code).toBe("max_buffer");
});
