import { type ChatModel, createAgent, from, type MessageChunk, pipe, tool } from "millrace";
import { decodeAnthropic } from "millrace/anthropic";
import { decodeGemini } from "millrace/gemini";
import { type AiSdkPart, fromAiSdk, fromLangChain } from "millrace/models";
import { decodeOllama } from "millrace/ollama";
import { decodeOpenAIChat, decodeOpenAIResponses } from "millrace/openai";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";

/** The arguments that ran, and the results for the model, of an agent with this first answer. */
async function runOf(answer: AsyncIterable<MessageChunk>) {
  const ran: unknown[] = [];
  const pay = tool({ name: "pay", schema: { type: "object" }, run: (args) => void ran.push(args) });
  const model: ChatModel = scriptedModel(["Done."]);
  const stream: ChatModel["stream"] = (messages, options) =>
    (messages as readonly unknown[]).length === 1 ? answer : model.stream(messages, options);
  await createAgent({ model: { ...model, stream }, tools: [pay] }).invoke("Hi");
  return ran;
}

const chat = (args: unknown) =>
  pipe(
    from([
      {
        choices: [
          { delta: { tool_calls: [{ index: 0, id: "a", function: { name: "pay", arguments: args } }] } },
        ],
      },
      { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
    ]),
    decodeOpenAIChat(),
  );
const responses = (args: unknown, ...deltas: readonly unknown[]) => {
  const item = { type: "function_call", id: "fc", call_id: "a", name: "pay", arguments: "" };
  const event = (type: string, fields: object) => ({ type: `response.${type}`, output_index: 0, ...fields });
  return pipe(
    from([
      event("output_item.added", { item }),
      ...deltas.map((delta) => event("function_call_arguments.delta", { delta })),
      event("output_item.done", { item: { ...item, arguments: args } }),
      event("completed", { response: { status: "completed" } }),
    ]),
    decodeOpenAIResponses(),
  );
};
const claude = (input: unknown, ...deltas: readonly unknown[]) =>
  pipe(
    from([
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "a", name: "pay", input },
      },
      ...deltas.map((partial_json) => ({
        ...{ type: "content_block_delta", index: 0 },
        delta: { type: "input_json_delta", partial_json },
      })),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" } },
      { type: "message_stop" },
    ]),
    decodeAnthropic(),
  );
const google = (call: object) => {
  const content = { parts: [{ functionCall: { name: "pay", ...call } }] };
  return pipe(from([{ candidates: [{ content, finishReason: "STOP" }] }]), decodeGemini());
};
const local = (args: unknown) => {
  const message = { tool_calls: [{ function: { name: "pay", arguments: args } }] };
  return pipe(from([{ message, done: true }]), decodeOllama());
};
const sdk = (...parts: readonly AiSdkPart[]) =>
  fromAiSdk(from([...parts, { type: "finish", finishReason: "tool-calls" }]));
const sdkCall = (input: unknown, more: object = {}) => ({
  ...{ type: "tool-call", toolCallId: "a", toolName: "pay", input },
  ...more,
});
const sdkStart = { type: "tool-input-start", id: "a", toolName: "pay" };
const chain = (fields: object) =>
  fromLangChain(from([{ content: "", ...fields, response_metadata: { finish_reason: "tool_calls" } }]));
const chunks = (args: unknown) => chain({ tool_call_chunks: [{ index: 0, id: "a", name: "pay", args }] });

describe("no tool runs", () => {
  test.each<[what: string, answer: AsyncIterable<MessageChunk>]>([
    ["Chat Completions: a list", chat([1])],
    ["Chat Completions: a number", chat(1)],
    ["Chat Completions: a number that JSON does not have", chat({ x: Infinity })],
    ["Responses: a list", responses([1])],
    ["Responses: another value than that of the deltas", responses('{"x":2}', '{"x":', "1}")],
    ["Anthropic: a list", claude([1])],
    ["Anthropic: a delta that is a list", claude({}, [1])],
    ["Anthropic: a number that JSON does not have", claude({ x: -Infinity })],
    ["Gemini: a text", google({ args: '{"x":1}' })],
    ["Gemini: a list", google({ args: [1] })],
    ["Gemini: a number that JSON does not have", google({ args: { x: [1, Infinity] } })],
    [
      "Gemini: a value of an unknown kind",
      google({ partialArgs: [{ jsonPath: "$.x", bytesValue: "YQ==" }] }),
    ],
    ["Ollama: a list", local([1])],
    ["Ollama: a number that JSON does not have", local(JSON.parse('{"x":1e400}'))],
    ["the AI SDK: a number that JSON does not have", sdk(sdkCall({ x: NaN }))],
    [
      "the AI SDK: a delta that is a list",
      sdk(sdkStart, { type: "tool-input-delta", id: "a", delta: [1] } as AiSdkPart),
    ],
    ["the AI SDK: a call that it has refused", sdk(sdkCall({ x: 1 }, { invalid: true, error: "no" }))],
    ["the AI SDK: a call that it has not completed", sdk(sdkStart)],
    ["LangChain.js: a list", chunks([1])],
    [
      "LangChain.js: a number that JSON does not have",
      chain({ tool_calls: [{ id: "a", name: "pay", args: { x: NaN } }] }),
    ],
    [
      "LangChain.js: a call that it has refused",
      chain({ invalid_tool_calls: [{ id: "a", name: "pay", args: '{"x":1}', error: "no" }] }),
    ],
  ])("%s", async (_, answer) => {
    expect(await runOf(answer)).toEqual([]);
  });
});

describe("a tool runs", () => {
  const x = { x: 1 };
  test.each<[what: string, answer: AsyncIterable<MessageChunk>]>([
    ["Chat Completions: an object", chat(x)],
    ["Responses: an object", responses(x)],
    ["Responses: another text of the same value", responses('{ "x": 1 }', '{"x":', "1}")],
    ["Responses: the whole text after some deltas", responses('{"x":1}', '{"x":')],
    ["Anthropic: an object", claude(x)],
    ["Anthropic: a delta that is an object", claude({}, x)],
    ["Gemini: an object", google({ args: x })],
    ["Ollama: a text", local('{"x":1}')],
    ["the AI SDK: an object", sdk(sdkCall(x))],
    ["LangChain.js: an object", chunks(x)],
  ])("%s", async (_, answer) => {
    expect(await runOf(answer)).toEqual([x]);
  });
});

test("a model of one's own must write the arguments of a whole call as an object", async () => {
  for (const args of [[1], '{"x":1}', null]) {
    const call = { type: "tool_call", id: "a", name: "pay", args } as never;
    await expect(runOf(from([{ content: [call] }]))).rejects.toMatchObject({ code: "invalid_chunk" });
  }
});

// OpenAI writes it into each chunk before the last one. An end would complete the call without its arguments.
test("a model of one's own must leave out a finish reason that is null", async () => {
  const begun = { type: "tool_call_chunk", index: 0, id: "a", name: "pay" } as const;
  const rest = { type: "tool_call_chunk", index: 0, args: '{"x":1}' } as const;
  const chunks = [{ content: [begun], finishReason: null as never }, { content: [rest] }];
  await expect(runOf(from(chunks))).rejects.toThrow(
    "a string as the finishReason of a message chunk, but got null",
  );
});
