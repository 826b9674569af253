/** Streams of models: message chunks, and the bytes of OpenAI Chat Completions and of Anthropic Messages. */
import type { MessageChunk } from "millrace";
import { list } from "../test/support/random.js";

export function textChunks(tokens: readonly string[]): MessageChunk[] {
  return tokens.map((text) => ({ content: [{ type: "text", text }] }));
}

/** Chunks of one tool call. The first has its id and name. */
export function callChunks(tokens: readonly string[], name = "save"): MessageChunk[] {
  return tokens.map((args, i) => {
    const head = i === 0 ? { id: "call_1", name } : {};
    return { content: [{ type: "tool_call_chunk", index: 0, args, ...head }] };
  });
}

/** The fields that each chunk has. */
const head = {
  id: "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
  object: "chat.completion.chunk",
  created: 1_741_569_952,
  model: "gpt-5-mini-2025-08-07",
  service_tier: "default",
  system_fingerprint: "fp_44709d6fcb",
};

/** The events of a text. */
export function textEventsOf(tokens: readonly string[]): Uint8Array<ArrayBuffer>[] {
  const deltas = tokens.map((content) => ({ content }));
  return eventsOf([{ role: "assistant", content: "", refusal: null }, ...deltas], "stop");
}

/** The events of a tool call. */
export function callEventsOf(name: string, tokens: readonly string[]): Uint8Array<ArrayBuffer>[] {
  const callOf = (call: object): object => ({ tool_calls: [{ index: 0, ...call }] });
  const first = callOf({ id: "call_1", type: "function", function: { name, arguments: "" } });
  const deltas = tokens.map((args) => callOf({ function: { arguments: args } }));
  return eventsOf([{ role: "assistant", content: null }, first, ...deltas], "tool_calls");
}

/** The events of a text in Anthropic Messages. */
export function messageEventsOf(tokens: readonly string[]): Uint8Array<ArrayBuffer>[] {
  const usage = { input_tokens: 9, output_tokens: 1 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage };
  const deltas = tokens.map((text) => ({ type: "text_delta", text }));
  const events = [
    { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  return events.map((it) => new TextEncoder().encode(`event: ${it.type}\ndata: ${JSON.stringify(it)}\n\n`));
}

/** Server-sent events with a chunk each. */
function eventsOf(deltas: readonly object[], reason: string): Uint8Array<ArrayBuffer>[] {
  const chunkOf = (delta: object, finish_reason: string | null = null): string =>
    JSON.stringify({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
  const data = [...deltas.map((delta) => chunkOf(delta)), chunkOf({}, reason), "[DONE]"];
  return data.map((it) => new TextEncoder().encode(`data: ${it}\n\n`));
}

/** The same bytes in reads of a size. */
export function readsOf(events: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer>[] {
  const bytes = new Uint8Array(Buffer.concat(events));
  return list(Math.ceil(bytes.length / size), (i) => bytes.slice(i * size, (i + 1) * size));
}

/** A response whose bytes are already there, one piece per read. */
export function responseOf(pieces: readonly Uint8Array<ArrayBuffer>[]): Response {
  return new Response(streamOf(pieces), { headers: { "content-type": "text/event-stream" } });
}

/** A web stream of items that are already there. */
export function streamOf<T>(items: readonly T[]): ReadableStream<T> {
  let at = 0;
  const pull = (controller: ReadableStreamDefaultController<T>): void => {
    if (at < items.length) controller.enqueue(items[at++] as T);
    else controller.close();
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}
