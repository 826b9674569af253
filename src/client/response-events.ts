import type { PatchEntry } from "../json/patch/patch-entry.js";
import type { Clock } from "../stream/time/clock.js";
import { ClientError } from "./errors.js";
import { checkEventLength, entryReader } from "./entry-reader.js";
import { noop } from "../stream/core/result.js";

/**
 * Returns the body of an event stream.
 *
 * @throws {ClientError} `http` if the status is not 2xx, `protocol` if the response is not an event stream
 */
export async function responseBody(response: Response, clock: Clock): Promise<ReadableStream<Uint8Array>> {
  const { ok, status, headers, body } = response;
  const type = String(headers.get("content-type"));
  if (!ok) throw await refusalOf(response, clock);
  if (body?.locked === false && /^text\/event-stream\s*(;|$)/i.test(type)) return body;
  throw new ClientError("protocol", `Expected a new text/event-stream, but got ${type}.`, { status });
}

/** Closes the body of a response, if nobody reads it. */
export async function discard(response: Response | undefined): Promise<void> {
  await response?.body?.cancel();
}

/** The error of a response whose status is not 2xx. */
export async function refusalOf({ status, body }: Response, clock: Clock): Promise<ClientError> {
  const { code, message } = await refusalIn(body, clock);
  return new ClientError("http", message ?? wordsFor(status), {
    status,
    ...(code !== undefined && { reason: code }),
  });
}

/**
 * The reason that a server gives for refusing a request: `{ code, message }`, also inside `error`. Reads 16 KB and 3
 * seconds at most.
 */
async function refusalIn(
  body: ReadableStream<Uint8Array> | null,
  clock: Clock,
): Promise<{ readonly code?: string; readonly message?: string }> {
  if (body === null) return {};
  const reader = body.getReader();
  const cancel = (): void => {
    reader.cancel().catch(noop);
  };
  const timer = clock.setTimeout(cancel, 3_000);
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (text.length < 16_384) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
    const data = Object(JSON.parse(text)) as { readonly error?: unknown };
    const { code, message } = Object(typeof data.error === "object" ? data.error : data) as Record<
      string,
      unknown
    >;
    const words = message ?? data.error;
    return {
      ...(typeof code === "string" && { code }),
      ...(typeof words === "string" && words !== "" && { message: words }),
    };
  } catch {
    return {}; // a page of a proxy, or a body that is cut
  } finally {
    clock.clearTimeout(timer);
    cancel();
  }
}

/** For a server that says nothing: words for the user of the app. */
function wordsFor(status: number): string {
  if (status === 401) return "Please sign in.";
  if (status === 402) return "This needs a payment.";
  if (status === 403) return "You are not allowed to do this.";
  if (status === 404) return "This was not found.";
  if (status === 429) return "There were too many requests. Please try again later.";
  if (status >= 500) return "The server has a problem. Please try again later.";
  return status === 0 ? "The server cannot be reached." : `The server refused the request (${status}).`;
}

/** Turns a network failure of the platform into a `ClientError`. */
export function lost(cause?: unknown, message = "The connection was lost."): never {
  throw new ClientError("cut", message, { cause });
}

/** The same for a request without an answer. */
export function unreachable(cause: unknown): never {
  lost(cause, "The server cannot be reached.");
}

/**
 * Waits for a promise. Calls `cancel` and rejects if it takes too long, or when the signal is aborted.
 *
 * @param longest in milliseconds. Default: the time until a connection counts as idle
 */
export type Wait = <T>(promise: Promise<T>, cancel: () => void, longest?: number) => Promise<T>;

/** @param signal of this stream alone, so its single handler may be set here. It stays, and calls `cancel` later too */
export function waiting(idle: number, clock: Clock, signal: AbortSignal): Wait {
  return <T>(promise: Promise<T>, cancel: () => void, longest = idle) => {
    let timer: unknown;
    return new Promise<T>((resolve, reject) => {
      const late = (signal.onabort = (): void => {
        cancel();
        reject(new ClientError("cut", "The connection was lost."));
      });
      if (longest < Infinity) timer = clock.setTimeout(late, longest);
      promise.then(resolve, reject);
    }).finally(() => clock.clearTimeout(timer));
  };
}

/** Yields the events of one connection until it ends, is idle for too long, or is aborted. Always releases the body. */
export async function* entriesOf(
  body: ReadableStream<Uint8Array>,
  wait: Wait,
  signal: AbortSignal,
  maxBuffer: number,
): AsyncGenerator<PatchEntry, void, undefined> {
  const reader = body.getReader();
  const cancel = (): void => {
    reader.cancel().catch(noop);
  };
  const read = entryReader(maxBuffer);
  const decoder = new TextDecoder();
  let rest = "";
  let afterReturn = false;
  try {
    while (!signal.aborted) {
      const reading = reader.read().then(({ value }) => value && decoder.decode(value, { stream: true }));
      const text = await wait(reading.catch(lost), cancel);
      if (text === undefined || signal.aborted) return;
      if (text === "") continue; // part of a character
      // CR LF is one line end, even if a chunk boundary splits it.
      const lines = (afterReturn && text.startsWith("\n") ? text.slice(1) : text).split(/\r\n|\n|\r/);
      afterReturn = text.endsWith("\r");
      lines[0] = rest + (lines[0] as string);
      rest = lines.pop() as string;
      for (const line of lines) {
        const entry = read(line);
        if (entry !== undefined) yield entry;
      }
      checkEventLength(rest, maxBuffer);
    }
  } finally {
    cancel();
  }
}
