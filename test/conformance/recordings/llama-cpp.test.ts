import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type AssistantMessage,
  createAgent,
  from,
  generateObject,
  last,
  mergeChunks,
  type MessageChunk,
  type Operator,
  pipe,
  textOf,
  tool,
} from "millrace";
import { toolStrategy } from "millrace/agent";
import { anthropic, decodeAnthropic } from "millrace/anthropic";
import { decodeSse, type SseEvent } from "millrace/models";
import { decodeOpenAIChat, decodeOpenAIResponses, openai } from "millrace/openai";
import { everyWay } from "millrace/testing";
import { z } from "zod";
import { errorOf, modelAt, serving } from "../../models/support/models.js";
import { responseOf } from "../../support/provider-events.js";
import type { Answer } from "../../models/support/server.js";

/** The body of an answer of llama-server (llama.cpp of August 2026). Its model is random, so the texts are noise. */
function recorded(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(import.meta.dirname, "llama-cpp", `${name}.sse`)));
}

function answering(name: string): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(recorded(name));
  };
}

function messageOf(
  pieces: readonly Uint8Array[],
  decoder: () => Operator<SseEvent, MessageChunk> = decodeOpenAIResponses,
): Promise<AssistantMessage | undefined> {
  return last(pipe(from(pieces), decodeSse(), decoder(), mergeChunks()));
}

describe("an answer of llama-server that is cut before its call", () => {
  const responseFormat = toolStrategy(z.object({ list: z.array(z.string()) }).meta({ title: "output" }));

  // Its text is "\"\"", which could pass for a whole JSON document.
  test("is truncated, and is not asked for again, however it is cut", async () => {
    for (const pieces of everyWay(recorded("chat-truncated-tool"))) {
      let requests = 0;
      const fetch = async (): Promise<Response> => {
        requests++;
        return responseOf(pieces);
      };
      const model = openai({ model: "m", apiKey: "key", fetch });
      await expect(createAgent({ model, responseFormat }).invoke("Go")).rejects.toMatchObject({
        name: "AgentError",
        code: "truncated",
        finishReason: "length",
        state: { step: 1 },
      });
      expect(requests).toBe(1);
    }
  });
});

/** The events have no `output_index` and no `content_index`: only the ids say to which item they belong. */
describe("a response of llama-server", () => {
  const said = "msg_lrj354RqPiGJMRvWkBQ9sZZ3ECeYCbDh";
  const thought = "rs_JiDFMJGofASxAAJ9ryeAACcQIAoDAHX2";
  const called = "XdIjYgIXYIHbngeuAh2rrkNkv6GOsNYf";

  test.each([
    [
      "responses-text-and-call",
      [
        { type: "text", text: '""""}":""}"', metadata: { id: said } },
        {
          ...{ type: "tool_call", id: `call_${called}`, name: "add", args: { a: 42 } },
          metadata: { id: `fc_${called}` },
        },
      ],
      "tool_calls",
    ],
    [
      "responses-reasoning",
      [
        {
          ...{ type: "reasoning", reasoning: " anglaiscious racesbereerkyear" },
          metadata: { id: thought, type: "reasoning_text" },
        },
        { type: "text", text: "QUASH", metadata: { id: "msg_vjmOrOAwUyKaDHdQJN956itt1CWgW8Oi" } },
      ],
      "stop",
    ],
    // It was cut at 5 tokens, but the server does not say so.
    [
      "responses-truncated",
      [
        {
          ...{ type: "text", text: "partidoutz ehemal builder writer" },
          metadata: { id: "msg_beLtopsRzVcWyPp17U7hZiMYzvPEajak" },
        },
      ],
      "stop",
    ],
  ])("has each text, thought and call of %s once, however it is cut", async (name, content, finishReason) => {
    const bytes = recorded(name);
    for (const pieces of everyWay(bytes)) {
      const message = await messageOf(pieces);
      expect(message?.content).toEqual(content);
      expect(message?.finishReason).toBe(finishReason);
    }
  });

  test("that calls a tool runs it once", async () => {
    const server = await serving(answering("responses-text-and-call"), answering("responses-reasoning"));
    const sums: unknown[] = [];
    const add = tool({
      name: "add",
      schema: z.object({ a: z.int() }),
      run: (args) => {
        sums.push(args);
        return "42";
      },
    });
    const agent = createAgent({ model: modelAt(server, { api: "responses" }), tools: [add] });
    const { state } = await agent.invoke("Add");
    expect(sums).toEqual([{ a: 42 }]);
    expect(state.messages.map(textOf)).toEqual(["Add", '""""}":""}"', "42", "QUASH"]);
  });
});

describe("an answer of llama-server in Chat Completions", () => {
  test.each([
    [
      "chat-json-schema",
      [{ type: "text", text: '{"title":"0","tags":["é","é","plain"],"n":0}' }],
      "stop",
      { inputTokens: 13, outputTokens: 38, totalTokens: 51, details: { cacheReadTokens: 4 } },
    ],
    // `required` lets a text come first.
    [
      "chat-tool-required",
      [
        { type: "text", text: "{" },
        { type: "tool_call", id: "jfexz4MmjwlTKmSSOVg0nNRTStZTYWSr", name: "add", args: { a: 70, b: 32 } },
      ],
      "tool_calls",
      { inputTokens: 202, outputTokens: 33, totalTokens: 235, details: { cacheReadTokens: 62 } },
    ],
    [
      "chat-reasoning",
      [
        {
          ...{ type: "reasoning", reasoning: " ersincrementcronan securedpas" },
          metadata: { type: "reasoning_content" },
        },
        { type: "text", text: "PKISO" },
      ],
      "stop",
      { inputTokens: 10, outputTokens: 14, totalTokens: 24, details: { cacheReadTokens: 9 } },
    ],
    [
      "chat-prompt-progress",
      [{ type: "text", text: "8}" }],
      "stop",
      { inputTokens: 3010, outputTokens: 3, totalTokens: 3013, details: { cacheReadTokens: 0 } },
    ],
  ])("has the content of %s, however it is cut", async (name, content, finishReason, usage) => {
    for (const pieces of everyWay(recorded(name), { count: 20 })) {
      const message = await messageOf(pieces, decodeOpenAIChat);
      expect(message).toMatchObject({ content, finishReason, usage });
    }
  });

  test("that its grammar has written is the object", async () => {
    const server = await serving(answering("chat-json-schema"));
    const schema = z.object({
      title: z.string().min(1).max(20),
      tags: z
        .array(z.enum(["é", "😀 ok", "plain"]))
        .min(2)
        .max(3),
      n: z.int().min(0).max(99),
    });
    const model = modelAt(server, { server: "llama.cpp" });
    const { object } = await generateObject({ model, schema, prompt: "Write an object." });
    expect(object).toEqual({ title: "0", tags: ["é", "é", "plain"], n: 0 });
  });

  test("that is an error says what the server said", async () => {
    const server = await serving((response) => {
      response.writeHead(400, { "content-type": "application/json" }).end(recorded("chat-error-context"));
    });
    const error = await errorOf(modelAt(server, { server: "llama.cpp" }).stream("Hi"));
    expect(error.message).toContain("exceeds the available context size (8192 tokens)");
    expect(error).toMatchObject({ status: 400, providerCode: "exceed_context_size_error", retryable: false });
  });
});

test("an answer of llama-server in Anthropic's API is read, however it is cut", async () => {
  for (const pieces of everyWay(recorded("messages-text"), { count: 20 })) {
    expect(await messageOf(pieces, decodeAnthropic)).toMatchObject({
      content: [{ type: "text", text: expect.stringContaining("<tool_call>") as string }],
      finishReason: "stop",
      usage: { inputTokens: 12, outputTokens: 24 },
    });
  }
  const { url } = await serving(answering("messages-text"));
  const model = anthropic({ model: "local", baseURL: url, apiKey: "none" });
  expect(model.profile.structuredOutput).toBe(false); // the server ignores output_config
  expect(textOf(await model.invoke("Hi"))).toContain("<tool_call>");
});
