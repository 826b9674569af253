import type { PatchEntry } from "../json/patch/patch-entry.js";
import type { JsonPatch } from "../json/patch/patch.js";
import { backoff } from "../stream/time/backoff.js";
import { type Clock, systemClock } from "../stream/time/clock.js";
import { bodyOf, eventsOf, lost } from "./connection.js";
import { ClientError } from "./errors.js";
import { readEntry } from "./read-entry.js";

/**
 * The patches that `toEventStream()` sends. A connection that is lost, or silent for longer than the server's heartbeats, is
 * made again, and the stream goes on after the last event: no patch is lost, and none comes twice.
 *
 * Nothing is asked for before the first `next()`; leaving closes the connection, and so does `signal`, with its reason.
 *
 * @param source a URL, or a response that is there already, as of a `POST`; to go on after a cut, that needs `resume`
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
): AsyncIterable<JsonPatch> {
  return {
    [Symbol.asyncIterator]: () => {
      const left = new AbortController();
      const patches = read(source, options, left.signal);
      return {
        next: () => patches.next(),
        // A generator is left only after the read that is under way: aborting ends that.
        return: () => {
          left.abort();
          return patches.return(undefined);
        },
      };
    },
  };
}

/** The options of `fromEventStream()`. */
export interface FromEventStreamOptions {
  /** Hears of all that happens, the end included; of a patch, before it is handed on. */
  readonly onEvent?: (event: ClientEvent) => void;
  /** Where to go on when a response that was given is cut. Of a URL, that URL. */
  readonly resume?: string | URL;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The platform's, by default. Here is the place for credentials, or for a token that is renewed. */
  readonly fetch?: (url: string | URL, init: RequestInit) => Promise<Response>;
  readonly signal?: AbortSignal;
  /** How often it is tried again, in a row and without any event between. Default: 5. */
  readonly retries?: number;
  /** Milliseconds without a byte after which a connection counts as lost: three heartbeats, 24,000, by default. */
  readonly idle?: number;
  /** How many characters an event may have. Default: 16,777,216. */
  readonly maxBuffer?: number;
  /** The machine's clock, by default. */
  readonly clock?: Clock;
  /** A number from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** What happens to a stream of patches. `id` of a patch is empty if the server gave none. */
export type ClientEvent = PatchEntry | OpenEvent | RetryEvent;

/** The server has answered. */
export interface OpenEvent {
  readonly type: "open";
}

/** The connection is lost, and will be made again. */
export interface RetryEvent {
  readonly type: "retry";
  /** From 1. */
  readonly attempt: number;
  /** Milliseconds from now. */
  readonly delay: number;
  readonly error: ClientError;
}

async function* read(
  source: Response | string | URL,
  options: FromEventStreamOptions,
  left: AbortSignal,
): AsyncGenerator<JsonPatch, undefined, undefined> {
  const { onEvent, headers, retries = 5, idle = 24_000, maxBuffer = 16 * 1024 * 1024 } = options;
  const { clock = systemClock, random = Math.random, fetch = globalThis.fetch } = options;
  const signal = options.signal === undefined ? left : AbortSignal.any([left, options.signal]);
  const isUrl = typeof source === "string" || source instanceof URL;
  const url = isUrl ? source : options.resume;
  let response = isUrl ? undefined : source;
  let lastEventId = "";
  for (let attempt = 0; ;) {
    try {
      signal.throwIfAborted();
      response ??= await fetch(url as string, {
        signal,
        headers: {
          accept: "text/event-stream",
          ...headers,
          ...(lastEventId !== "" && { "last-event-id": lastEventId }),
        },
      }).catch(lost);
      const body = bodyOf(response);
      onEvent?.({ type: "open" });
      for await (const event of eventsOf(body, { idle, maxBuffer, clock, signal })) {
        const entry = readEntry(event);
        if (entry === undefined) continue;
        attempt = 0;
        onEvent?.(entry);
        if (entry.type === "done") return;
        if (entry.type === "error")
          throw new ClientError("run", `The stream has ended: ${entry.message}`, { reason: entry.code });
        if (entry.id !== "") lastEventId = entry.id;
        yield entry.patch;
      }
      signal.throwIfAborted();
      lost();
    } catch (error) {
      if (left.aborted) return;
      signal.throwIfAborted();
      if (url === undefined || attempt >= retries || !isPassing(error)) throw error;
      response = undefined;
      const delay = backoff(attempt++, random);
      onEvent?.({ type: "retry", attempt, delay, error });
      // Not sleep(): the signal is this stream's own, so that its one handler will do, and bytes count here.
      await new Promise<void>((wake) => {
        const timer = clock.setTimeout(wake, delay);
        signal.onabort = () => {
          clock.clearTimeout(timer);
          wake();
        };
      });
    }
  }
}

/** What is worth another attempt. */
function isPassing(error: unknown): error is ClientError {
  if (!(error instanceof ClientError)) return false;
  const { code, status = 0 } = error;
  return code === "cut" || (code === "http" && (status >= 500 || status === 429 || status === 408));
}
