import type { Clock } from "../stream/time/clock.js";
import { ClientError } from "./errors.js";
import { type PatchSseEvent, sseReader } from "./sse-reader.js";
import { noop } from "../stream/core/result.js";

/**
 * Returns the body of an event stream.
 *
 * @throws {ClientError} `http` if the status is not 2xx, `protocol` if the response is not an event stream
 */
export function responseBody({ ok, status, headers, body }: Response): ReadableStream<Uint8Array> {
  const type = headers.get("content-type");
  if (ok && body !== null && type?.startsWith("text/event-stream") === true) return body;
  body?.cancel().catch(noop);
  throw ok
    ? new ClientError("protocol", `Expected text/event-stream, but got ${String(type)}.`, { status })
    : new ClientError("http", `The server answered with status ${status}.`, { status });
}

/** Turns a network failure of the platform into a `ClientError`. */
export function lost(cause?: unknown): never {
  throw new ClientError("cut", "The connection was lost.", { cause });
}

/** Yields the events of one connection until it ends, is idle for too long, or is aborted. Always releases the body. */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  { idle, maxBuffer, clock, signal }: ConnectionOptions,
): AsyncGenerator<PatchSseEvent, void, undefined> {
  const reader = body.getReader();
  // Also ends a pending read.
  const cancel = (): void => {
    reader.cancel().catch(noop);
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

/** The limits of a connection. */
export interface ConnectionOptions {
  readonly idle: number;
  readonly maxBuffer: number;
  readonly clock: Clock;
  /** The signal of this stream alone, so its single handler may be set here. */
  readonly signal: AbortSignal;
}
