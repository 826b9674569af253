/** Streams of providers as their servers write them. */
import { list } from "./random.js";

/** The fields that each chunk of Chat Completions has. */
const head = {
  id: "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
  object: "chat.completion.chunk",
  created: 1_741_569_952,
  model: "gpt-5-mini-2025-08-07",
  service_tier: "default",
  system_fingerprint: "fp_44709d6fcb",
};

/** A chunk for each delta, and one with the finish reason. */
export function chatChunks(deltas: readonly object[], reason: string): object[] {
  const chunkOf = (delta: object, finish_reason: string | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  return [...deltas.map((delta) => chunkOf(delta)), chunkOf({}, reason)];
}

/** The server-sent events of these chunks, with the end marker. */
export function chatEvents(deltas: readonly object[], reason: string): Uint8Array<ArrayBuffer>[] {
  const data = [...chatChunks(deltas, reason).map((chunk) => JSON.stringify(chunk)), "[DONE]"];
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
