/** Streams of OpenAI Chat Completions and of Anthropic Messages. */
import { list } from "./random.js";

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

/** The events of a tool call. The first delta has its id and name. */
export function callEventsOf(name: string, tokens: readonly string[]): Uint8Array<ArrayBuffer>[] {
  const deltas = tokens.map((args, i) => {
    const first = i === 0 ? { id: "call_1", type: "function" } : undefined;
    const call = { index: 0, ...first, function: { ...(first && { name }), arguments: args } };
    return { tool_calls: [call] };
  });
  return eventsOf([{ role: "assistant", content: null }, ...deltas], "tool_calls");
}

/** The events of a text in Anthropic Messages. */
export function messageEventsOf(tokens: readonly string[]): Uint8Array<ArrayBuffer>[] {
  const usage = { input_tokens: 9, output_tokens: 1 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage };
  const events = [
    { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...tokens.map((text) => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text },
    })),
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
  let at = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void => {
    const piece = pieces[at++];
    if (piece === undefined) controller.close();
    else controller.enqueue(piece);
  };
  const body = new ReadableStream({ pull }, { highWaterMark: 0 });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
