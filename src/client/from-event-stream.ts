import type { PatchEntry } from "../json/patch/patch-entry.js";
import type { AnyPatchOperation } from "../json/patch/patch.js";
import { backoff } from "../stream/time/attempts.js";
import { type Clock, systemClock } from "../stream/time/clock.js";
import { discard, entriesOf, lost, responseBody, unreachable, waiting } from "./response-events.js";
import { ClientError, toClientError } from "./errors.js";
import { noop } from "../stream/core/result.js";

/**
 * Reads the patches that `toEventStream()` sends. If the connection is lost, or idle for longer than the server's
 * heartbeat, it reconnects and continues after the last event. No patch is lost, and none arrives twice.
 *
 * Sends no request before the first `next()`. Leaving the loop closes the connection. Aborting `signal` also does, with
 * its reason.
 *
 * @param source a URL, or an existing response, for example of a `POST`. To reconnect, a response needs `resume`.
 * @throws {ClientError} `http`, `protocol`, `cut` or `run`
 *
 * @example
 * ```ts
 * import { collect, from } from "millrace";
 * import { fromEventStream } from "millrace/client";
 * import { toEventStream } from "millrace/serve";
 *
 * const response = toEventStream(from([[{ op: "replace" as const, path: "", value: [1] }]]));
 * console.log(await collect(fromEventStream(response))); // [[{ op: "replace", path: "", value: [1] }]]
 * ```
 */
export function fromEventStream(
  source: Response | string | URL,
  options: FromEventStreamOptions = {},
): AsyncIterable<readonly AnyPatchOperation[]> {
  return {
    [Symbol.asyncIterator]: () => {
      const left = new AbortController();
      const patches = read(source, options, left.signal);
      return {
        next: () => patches.next(),
        // A generator returns only after its pending read. Aborting ends that read.
        return: () => {
          left.abort();
          discard(source as Response).catch(noop); // a response that was not read yet
          return patches.return(undefined);
        },
      };
    },
  };
}

/** The options of `fromEventStream()`. */
export interface FromEventStreamOptions {
  /** Called for every event, including the end. For a patch, called before it is yielded. */
  readonly onEvent?: (event: ClientEvent) => void;
  /** URL to reconnect to. Defaults to the URL passed in. */
  readonly resume?: string | URL;
  /** Sends the first request as a `POST`, which starts the run. A text is sent as JSON. Reconnecting is a `GET`. */
  readonly body?: RequestInit["body"];
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the global `fetch`. Set it to send credentials or to refresh a token. */
  readonly fetch?: (url: string | URL, init: RequestInit) => Promise<Response>;
  readonly signal?: AbortSignal;
  /** Reconnection attempts in a row without an event in between. Default: 5. */
  readonly maxRetries?: number;
  /** `idle`: milliseconds without a byte until the connection counts as lost. Default: 24,000, three heartbeats. */
  readonly timeouts?: { readonly idle?: number };
  /** Maximum length of an event in characters. Default: 16,777,216. */
  readonly maxBuffer?: number;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Returns a number from 0 to 1, for the jitter of delays. Default: `Math.random`. */
  readonly random?: () => number;
}

/** An event of a stream of patches. The `id` of a patch is empty if the server sent none. */
export type ClientEvent = PatchEntry | OpenEvent | RetryEvent | StopFailedEvent;

/** The server has answered. */
export interface OpenEvent {
  readonly type: "open";
}

/** The connection is lost. The client will reconnect. */
export interface RetryEvent {
  readonly type: "retry";
  /** Counts from 1. */
  readonly attempt: number;
  /** Milliseconds until the attempt. */
  readonly delay: number;
  readonly error: ClientError;
}

/** Sent by `createObjectStore()` alone: the server did not stop the run, so the model continues. */
export interface StopFailedEvent {
  readonly type: "stop_failed";
  readonly error: ClientError;
}

async function* read(
  source: Response | string | URL,
  options: FromEventStreamOptions,
  left: AbortSignal,
): AsyncGenerator<readonly AnyPatchOperation[], undefined, undefined> {
  const {
    onEvent,
    resume,
    timeouts: { idle = 24_000 } = {},
    maxBuffer = 2 ** 24,
    clock = systemClock,
  } = options;
  const signal = AbortSignal.any([left, options.signal ?? left]);
  const wait = waiting(idle, clock, signal);
  let response = "body" in Object(source) ? (source as Response) : undefined;
  let url = response === undefined ? (source as string | URL) : resume;
  let body = options.body ?? undefined;
  /** Whether the response that starts the run was not accepted yet. A refused one began no run to reconnect to. */
  let isStart = response !== undefined || body !== undefined;
  // fetch() would throw an error that contains the password.
  if (/^\w*:?\/\/[^/?#]*@/.test(String(url)))
    throw new TypeError("The URL has a user. Use headers.authorization.");
  let lastEventId = "";
  let attempt = 0;
  let failure: unknown;

  const request = (): Promise<Response> => {
    const { headers, fetch = globalThis.fetch } = options;
    const late = new AbortController();
    const send = async (): Promise<Response> =>
      fetch(url as string, {
        signal: AbortSignal.any([signal, late.signal]),
        ...(body !== undefined && { method: "POST", body }),
        headers: {
          accept: "text/event-stream;compact=1, text/event-stream",
          ...(typeof body === "string" && { "content-type": "application/json" }),
          ...headers,
          ...(lastEventId !== "" && { "last-event-id": lastEventId }),
        },
      });
    const answer = send();
    const leave = (): void => {
      if (!signal.aborted) late.abort("timeout"); // an AbortError would mean that the page has left
      answer.then(discard).catch(noop); // if fetch() ignores the signal
    };
    return wait(answer, leave).catch(unreachable);
  };
  const open = async (): Promise<ReadableStream<Uint8Array>> => {
    signal.throwIfAborted();
    response ??= await request();
    const stream = await responseBody(response, clock).catch((error: unknown) => {
      throw toClientError(error);
    });
    isStart = false;
    body = undefined;
    url = resume ?? url;
    onEvent?.({ type: "open" });
    return stream;
  };
  /** Waits for the next attempt. Returns false if the reader has left. */
  const retry = async (error: unknown): Promise<boolean> => {
    discard(response).catch(noop); // if nobody has read it yet
    if (left.aborted) return false;
    signal.throwIfAborted();
    const { maxRetries = 5, random = Math.random } = options;
    if (isStart || url === undefined || !(attempt < maxRetries) || !isRetryable(error)) throw error;
    response = undefined;
    const delay = backoff(attempt++, random);
    onEvent?.({ type: "retry", attempt, delay, error });
    // Not Attempts, because the client must stay small.
    if (!signal.aborted) await wait(new Promise(noop), noop, delay).catch(noop);
    return true;
  };

  do {
    try {
      for await (const entry of entriesOf(await open(), wait, signal, maxBuffer)) {
        attempt = 0;
        onEvent?.(entry);
        if (entry.type === "error")
          throw new ClientError("run", entry.message || "The run failed.", { reason: entry.code });
        if (entry.type === "done") return;
        // After an id that cannot be a header, the run is read again from its start.
        lastEventId = /^[!-~]{0,999}$/.test(entry.id) ? entry.id || lastEventId : "";
        yield entry.patch;
      }
      signal.throwIfAborted();
      lost();
    } catch (error) {
      failure = error;
    }
  } while (await retry(failure));
}

/** Whether another attempt may succeed. */
function isRetryable(error: unknown): error is ClientError {
  if (!(error instanceof ClientError)) return false;
  const { code, status = 0 } = error;
  return code === "cut" || status >= 500 || status === 429 || status === 408;
}
