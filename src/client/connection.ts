import type { Clock } from "../stream/time/clock.js";
import { ClientError } from "./errors.js";
import { type SseEvent, sseReader } from "./sse-reader.js";

/**
 * What a response has to tell.
 *
 * @throws {ClientError} `http` if its status says no, `protocol` if it is no stream of events
 */
export function bodyOf({ ok, status, headers, body }: Response): ReadableStream<Uint8Array> {
  const type = headers.get("content-type");
  if (ok && body !== null && type?.startsWith("text/event-stream") === true) return body;
  body?.cancel().catch(nothing);
  throw ok
    ? new ClientError("protocol", `Expected text/event-stream, but got ${String(type)}.`, { status })
    : new ClientError("http", `The server answered with status ${status}.`, { status });
}

/** A lost connection, as the platform puts it. */
export function lost(cause?: unknown): never {
  throw new ClientError("cut", "The connection was lost before the end.", { cause });
}

/** The events of one connection, until it ends, falls silent or is aborted. The body is let go of in any case. */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  { idle, maxBuffer, clock, signal }: ConnectionOptions,
): AsyncGenerator<SseEvent, void, undefined> {
  const reader = body.getReader();
  // A read that is under way ends with it.
  const cancel = (): void => {
    reader.cancel().catch(nothing);
  };
  signal.onabort = cancel;
  const feed = sseReader();
  const decoder = new TextDecoder();
  try {
    while (!signal.aborted) {
      const timer = idle < Infinity ? clock.setTimeout(cancel, idle) : undefined;
      const { done, value } = await reader
        .read()
        .catch(lost)
        .finally(() => clock.clearTimeout(timer));
      if (done || signal.aborted) return;
      const { events, held } = feed(decoder.decode(value, { stream: true }));
      yield* events;
      if (held > maxBuffer)
        throw new ClientError("protocol", `An event is longer than ${maxBuffer} characters.`);
    }
  } finally {
    cancel();
  }
}

/** What a connection is bound by. */
export interface ConnectionOptions {
  readonly idle: number;
  readonly maxBuffer: number;
  readonly clock: Clock;
  /** The stream's own, so that its one handler is ours to set. */
  readonly signal: AbortSignal;
}

function nothing(): void {}
