import { type ChatModel, compose, type MessageChunk, pipe } from "millrace";
import {
  type AiSdkPart,
  decodeNdjson,
  decodeSse,
  fromAiSdk,
  fromChatModel,
  fromLangChain,
  fromLanguageModel,
  type LangChainChunk,
} from "millrace/models";
import { anthropic, decodeAnthropic } from "millrace/anthropic";
import { decodeGemini, gemini } from "millrace/gemini";
import { decodeOllama, ollama } from "millrace/ollama";
import { decodeOpenAIChat, decodeOpenAIResponses, openai } from "millrace/openai";
import type { ModelWire, WireUsage } from "millrace/testing";
import { noTime } from "../../agent/support/no-time.js";

type Bytes = Uint8Array<ArrayBuffer>;
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How a provider writes an answer, with its decoder and its model. */
export interface ProviderWire {
  readonly name: string;
  readonly wire: ModelWire<Bytes>;
  readonly model: (fetch: Fetch, options?: { readonly maxRetries: number }) => ChatModel;
}

const bytes = (text: string): Bytes => new TextEncoder().encode(text);
const events = (...payloads: readonly object[]): Bytes[] =>
  payloads.map((payload) => bytes(`data: ${JSON.stringify(payload)}\n\n`));
const lines = (...payloads: readonly object[]): Bytes[] =>
  payloads.map((payload) => bytes(`${JSON.stringify(payload)}\n`));

/** Anthropic and Responses name each event. */
const named = (...payloads: readonly { readonly type: string }[]): Bytes[] =>
  payloads.map((payload) => bytes(`event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`));

const common = {
  model: "m-1",
  apiKey: "sk-example",
  createId: () => "msg_1",
  clock: noTime,
  random: () => 0,
  maxRetries: 0,
  timeouts: { firstToken: Infinity, idle: Infinity },
};

/** The words of OpenAI. Gateways pass on words of other providers. */
const reasons = {
  stop: "stop",
  length: "length",
  tool_calls: "tool_calls",
  pause: "pause_turn",
  content_filter: "content-filter",
  error: "network_error",
} as const;

const delta = (fields: object): object => ({
  id: "c1",
  model: "m-1",
  choices: [{ index: 0, delta: fields, finish_reason: null }],
});
const chatUsage = ({ inputTokens, outputTokens }: WireUsage): object => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
});

const chat: ModelWire<Bytes> = {
  read: (answer) => pipe(answer, decodeSse(), decodeOpenAIChat()),
  start: () => [bytes(": hi\n\n"), ...events(delta({ role: "assistant", content: "" }))],
  text: (pieces) => events(...pieces.map((content) => delta({ content }))),
  reasoning: (pieces) => events(...pieces.map((reasoning_content) => delta({ reasoning_content }))),
  call: ({ id, name, args }, block) =>
    events(
      delta({ tool_calls: [{ index: block, id, type: "function", function: { name, arguments: "" } }] }),
      ...args.map((piece) => delta({ tool_calls: [{ index: block, function: { arguments: piece } }] })),
    ),
  callDelta: ({ index, id, name, args }) =>
    events(delta({ tool_calls: [{ index, id, function: { name, arguments: args } }] })),
  end: (finish_reason, usage) => [
    ...events({
      choices: [{ index: 0, delta: {}, finish_reason }],
      ...(usage === undefined ? undefined : { usage: chatUsage(usage) }),
    }),
    bytes("data: [DONE]\n\n"),
  ],
  reasons,
  usageBefore: (usage) => events({ choices: [], usage: chatUsage(usage) }),
  field: (name, value) => events({ ...delta({ content: "a" }), [name]: value }),
  refusal: (pieces) => [...events(...pieces.map((refusal) => delta({ refusal }))), ...chat.end("stop")],
  error: (message) => events({ error: { message, type: "server_error" } }),
};

const item = (output_index: number, fields: object): { readonly type: string } => ({
  type: "response.output_item.done",
  ...{ output_index, item: fields },
});

const responses: ModelWire<Bytes> = {
  read: (answer) => pipe(answer, decodeSse(), decodeOpenAIResponses()),
  start: () => named({ type: "response.created", ...{ response: { id: "r1", model: "m-1" } } }),
  text: (pieces, output_index) =>
    named(
      ...pieces.map((piece) => ({
        type: "response.output_text.delta",
        ...{ output_index, content_index: 0, delta: piece },
      })),
      item(output_index, { type: "message", content: [{ type: "output_text", text: pieces.join("") }] }),
    ),
  reasoning: (pieces, output_index) =>
    named(
      ...pieces.map((piece) => ({
        type: "response.reasoning_summary_text.delta",
        ...{ output_index, summary_index: 0, delta: piece },
      })),
    ),
  call: ({ id, name, args }, output_index) => {
    const call = { type: "function_call", id: `fc_${id}`, call_id: id, name };
    return named(
      { type: "response.output_item.added", ...{ output_index, item: { ...call, arguments: "" } } },
      ...args.map((piece) => ({
        type: "response.function_call_arguments.delta",
        ...{ output_index, delta: piece },
      })),
      item(output_index, { ...call, arguments: args.join("") || "{}" }),
    );
  },
  end: (reason, usage) =>
    named({
      type: "response.incomplete",
      ...{
        response: {
          id: "r1",
          status: "incomplete",
          incomplete_details: { reason },
          ...(usage && {
            usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
          }),
        },
      },
    }),
  reasons: { ...reasons, stop: "completed" },
  field: (name, value, block) =>
    named(item(block, { type: "web_search_call", id: `ws_${block}`, action: {}, [name]: value })),
  refusal: (pieces) => [
    ...named(
      ...pieces.map((piece) => ({
        type: "response.refusal.delta",
        ...{ output_index: 0, content_index: 0, delta: piece },
      })),
    ),
    ...responses.end("completed"),
  ],
  error: (message) => named({ type: "error", ...{ code: "server_error", message } }),
};

const block = (index: number, content_block: object, ...deltas: readonly object[]): Bytes[] =>
  named(
    { type: "content_block_start", ...{ index, content_block } },
    ...deltas.map((it) => ({ type: "content_block_delta", ...{ index, delta: it } })),
    { type: "content_block_stop", ...{ index } },
  );
const claudeUsage = ({ inputTokens, outputTokens }: WireUsage): object => ({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
});

const claude: ModelWire<Bytes> = {
  read: (answer) => pipe(answer, decodeSse(), decodeAnthropic()),
  start: () => named({ type: "message_start", ...{ message: { id: "m1", content: [] } } }, { type: "ping" }),
  text: (pieces, index) =>
    block(index, { type: "text", text: "" }, ...pieces.map((text) => ({ type: "text_delta", text }))),
  reasoning: (pieces, index) =>
    block(
      index,
      { type: "thinking", thinking: "" },
      ...pieces.map((thinking) => ({ type: "thinking_delta", thinking })),
    ),
  call: ({ id, name, args }, index) =>
    block(
      index,
      { type: "tool_use", id, name, input: {} },
      ...args.map((partial_json) => ({ type: "input_json_delta", partial_json })),
    ),
  end: (stop_reason, usage) =>
    named(
      { type: "message_delta", ...{ delta: { stop_reason }, ...(usage && { usage: claudeUsage(usage) }) } },
      { type: "message_stop" },
    ),
  reasons: { ...reasons, stop: "end_turn", tool_calls: "tool_use" },
  usageBefore: (usage) => named({ type: "message_delta", ...{ delta: {}, usage: claudeUsage(usage) } }),
  field: (name, value) => named({ type: "message_delta", ...{ delta: { [name]: value } } }),
  refusal: (pieces) =>
    named(
      {
        type: "message_delta",
        ...{ delta: { stop_reason: "refusal", stop_details: { explanation: pieces.join("") } } },
      },
      { type: "message_stop" },
    ),
  error: (message) => named({ type: "error", ...{ error: { type: "api_error", message } } }),
};

const part = (fields: object): object => ({ candidates: [{ content: { parts: [fields] } }] });
const googleUsage = ({ inputTokens, outputTokens }: WireUsage): object => ({
  usageMetadata: { promptTokenCount: inputTokens, candidatesTokenCount: outputTokens },
});

const google: ModelWire<Bytes> = {
  read: (answer) => pipe(answer, decodeSse(), decodeGemini()),
  text: (pieces) => events(...pieces.map((text) => part({ text }))),
  reasoning: (pieces) => events(...pieces.map((text) => part({ text, thought: true }))),
  call: ({ name, args }) =>
    events(part({ functionCall: { name, args: JSON.parse(args.join("") || "{}") as unknown } })),
  end: (finishReason, usage) =>
    events({ candidates: [{ finishReason }], ...(usage && googleUsage(usage)), responseId: "r1" }),
  reasons: { stop: "STOP", length: "MAX_TOKENS", content_filter: "SAFETY", error: "MALFORMED_FUNCTION_CALL" },
  usageBefore: (usage) => events(googleUsage(usage)),
  usageAfter: (usage) => events(googleUsage(usage)),
  field: (name, value) => events(part({ text: "a", [name]: value })),
  refusal: (pieces) =>
    events({ promptFeedback: { blockReason: "SAFETY", blockReasonMessage: pieces.join("") } }),
  error: (message) => events({ error: { code: 500, message, status: "INTERNAL" } }),
};

const local: ModelWire<Bytes> = {
  read: (answer) => pipe(answer, compose(decodeNdjson(), decodeOllama())),
  text: (pieces) => lines(...pieces.map((content) => ({ message: { content }, done: false }))),
  reasoning: (pieces) => lines(...pieces.map((thinking) => ({ message: { thinking }, done: false }))),
  call: ({ name, args }) =>
    lines({
      message: {
        tool_calls: [{ function: { name, arguments: JSON.parse(args.join("") || "{}") as unknown } }],
      },
    }),
  end: (done_reason, usage) =>
    lines({
      message: { content: "" },
      done: true,
      done_reason,
      ...(usage && { prompt_eval_count: usage.inputTokens, eval_count: usage.outputTokens }),
    }),
  reasons: { stop: "stop", length: "length", error: "error" },
  error: (error) => lines({ error }),
};

/** The providers. */
export const providerWires: readonly ProviderWire[] = [
  {
    name: "Chat Completions",
    wire: chat,
    model: (fetch, options) => openai({ ...common, ...options, fetch }),
  },
  {
    name: "Responses",
    wire: responses,
    model: (fetch, options) => openai({ ...common, ...options, api: "responses", fetch }),
  },
  { name: "Anthropic", wire: claude, model: (fetch, options) => anthropic({ ...common, ...options, fetch }) },
  { name: "Gemini", wire: google, model: (fetch, options) => gemini({ ...common, ...options, fetch }) },
  { name: "Ollama", wire: local, model: (fetch, options) => ollama({ ...common, ...options, fetch }) },
];

const fromPart = (part: object): AiSdkPart => part as AiSdkPart;
const sdkUsage = ({ inputTokens, outputTokens }: WireUsage): object => ({ inputTokens, outputTokens });

const aiSdk: ModelWire<AiSdkPart> = {
  read: fromAiSdk,
  start: () => [{ type: "start" }, { type: "start-step" }],
  text: (pieces, id) =>
    [
      { type: "text-start", id },
      ...pieces.map((text) => ({ type: "text-delta", id, text })),
      { type: "text-end", id },
    ].map(fromPart),
  reasoning: (pieces, id) => pieces.map((text) => fromPart({ type: "reasoning-delta", id, text })),
  call: ({ id, name, args }) =>
    [
      { type: "tool-input-start", id, toolName: name },
      ...args.map((piece) => ({ type: "tool-input-delta", id, delta: piece })),
      { type: "tool-input-end", id },
      {
        type: "tool-call",
        toolCallId: id,
        toolName: name,
        input: JSON.parse(args.join("") || "{}") as unknown,
      },
    ].map(fromPart),
  end: (rawFinishReason, usage) => [
    fromPart({
      type: "finish",
      finishReason: "other",
      rawFinishReason,
      ...(usage && { totalUsage: sdkUsage(usage) }),
    }),
  ],
  reasons,
  usageBefore: (usage) => [fromPart({ type: "finish-step", usage: sdkUsage(usage) })],
  field: (name, value, id) => [
    fromPart({ type: "text-delta", id, text: "a", providerMetadata: { [name]: value } }),
  ],
  error: (message) => [fromPart({ type: "error", error: new Error(message) })],
};

/** The stream of a language model of the AI SDK, read by its bridge. */
const languageModel: ModelWire<object> = {
  read: (answer) =>
    fromLanguageModel(
      {
        specificationVersion: "v3",
        provider: "mine.chat",
        modelId: "m-1",
        doStream: async () => ({ stream: toReadable(answer) }),
      },
      { maxRetries: 0 },
    ).stream("Hi"),
  start: () => [{ type: "stream-start", warnings: [] }],
  text: (pieces, id) => [
    { type: "text-start", id },
    ...pieces.map((delta) => ({ type: "text-delta", id, delta })),
    { type: "text-end", id },
  ],
  reasoning: (pieces, id) => pieces.map((delta) => ({ type: "reasoning-delta", id, delta })),
  call: ({ id, name, args }) => [
    { type: "tool-input-start", id, toolName: name },
    ...args.map((delta) => ({ type: "tool-input-delta", id, delta })),
    { type: "tool-input-end", id },
    { type: "tool-call", toolCallId: id, toolName: name, input: args.join("") },
  ],
  end: (raw, usage) => [
    {
      type: "finish",
      finishReason: { unified: "other", raw },
      usage: { inputTokens: { total: usage?.inputTokens }, outputTokens: { total: usage?.outputTokens } },
    },
  ],
  reasons,
  field: (name, value, id) => [
    { type: "text-delta", id, delta: "a", providerMetadata: { mine: { [name]: value } } },
  ],
  error: (message) => [{ type: "error", error: new Error(message) }],
};

/** A stream that asks for one item at a time. */
function toReadable<T>(source: AsyncIterable<T>): ReadableStream<T> {
  const iterator = source[Symbol.asyncIterator]();
  const pull = async (controller: ReadableStreamDefaultController<T>): Promise<void> => {
    const result = await iterator.next();
    if (result.done === true) controller.close();
    else controller.enqueue(result.value);
  };
  const cancel = async (): Promise<void> => {
    await iterator.return?.();
  };
  return new ReadableStream<T>({ pull, cancel }, { highWaterMark: 0 });
}

const says = (content: unknown, more: object = {}): LangChainChunk => ({ content, ...more });
const chainUsage = ({ inputTokens, outputTokens }: WireUsage): object => ({
  usage_metadata: { input_tokens: inputTokens, output_tokens: outputTokens },
});

const langChain: ModelWire<LangChainChunk> = {
  read: fromLangChain,
  text: (pieces) => pieces.map((text) => says(text)),
  reasoning: (pieces) =>
    pieces.map((reasoning_content) => says("", { additional_kwargs: { reasoning_content } })),
  call: ({ id, name, args }, index) => [
    says("", { tool_call_chunks: [{ index, id, name, args: "" }] }),
    ...(args.length === 0 ? ["{}"] : args).map((piece) =>
      says("", { tool_call_chunks: [{ index, args: piece }] }),
    ),
  ],
  callDelta: (call) => [says("", { tool_call_chunks: [call] })],
  end: (finish_reason, usage) => [
    says("", { response_metadata: { finish_reason }, ...(usage && chainUsage(usage)) }),
  ],
  reasons,
  needsEnd: false,
  usageBefore: (usage) => [says("", chainUsage(usage))],
  usageAfter: (usage) => [says("", chainUsage(usage))],
  field: (name, value) => [says("a", { additional_kwargs: { [name]: value } })],
  refusal: (pieces) => [
    ...pieces.map((refusal) => says("", { additional_kwargs: { refusal } })),
    ...langChain.end("stop"),
  ],
};

/** The streams of other libraries. */
export const libraryWires: readonly { readonly name: string; readonly wire: ModelWire<unknown> }[] = [
  { name: "the AI SDK", wire: aiSdk as unknown as ModelWire<unknown> },
  { name: "LangChain.js", wire: langChain as unknown as ModelWire<unknown> },
  { name: "a language model of the AI SDK", wire: languageModel as unknown as ModelWire<unknown> },
  {
    name: "a chat model of LangChain.js",
    wire: {
      ...langChain,
      read: (answer: AsyncIterable<LangChainChunk>) =>
        fromChatModel({ stream: async () => answer }, { maxRetries: 0 }).stream("Hi"),
      needsEnd: true,
      usageAfter: undefined,
    } as unknown as ModelWire<unknown>,
  },
];

/** The wire of a provider, read by its model. */
export function readByModel({ wire, model }: ProviderWire): ModelWire<Bytes> {
  const read = (answer: AsyncIterable<Bytes>): AsyncIterable<MessageChunk> =>
    model(async () => {
      const body = toReadable(answer);
      const type = wire === local ? "application/x-ndjson" : "text/event-stream";
      return new Response(body, { headers: { "content-type": type } });
    }).stream("Hi");
  return { ...wire, read };
}
