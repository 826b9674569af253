import { wholeNumber } from "../../../text/check-number.js";
import { checkOptions, type OptionNames } from "../../../text/check-options.js";
import { quoted } from "../../../text/cut.js";
import { noop } from "../../../stream/core/result.js";
import { type Clock, systemClock } from "../../../stream/time/clock.js";
import { placesFor } from "./places.js";
import { endWhenStalled, writeTimeout } from "../slow-clients.js";
import { headOf } from "../text-body.js";

/** Limits of the responses that clients read. Durations are in milliseconds. */
export interface ReadBounds<Info = unknown> {
  /**
   * Maximum number of responses that are being read. One counts from its request until its body has ended or its
   * client has left; if the client had accepted nothing for a while, for as long again. Default: 1,000.
   */
  readonly maxReaders?: number;
  /** Maximum number of responses that one client reads, counted in the same way. Used with `clientId`. Default: 50. */
  readonly maxReadersPerClient?: number;
  /**
   * Returns the id of the client, such as the id of its user or its address. `undefined` or `null`: only `maxRuns`
   * limits it.
   *
   * @param info the second argument of the handler, such as the `node:http` request that `nodeHandler()` passes
   */
  readonly clientId?: (request: Request, info: Info) => string | null | undefined;
  /** `write`: how long a client may take to accept the next 64 KB of the response; then it is closed. Default: 30,000. */
  readonly timeouts?: { readonly write?: number };
  /**
   * Origins allowed besides the same host, such as `https://app.example`. `*` allows all. Default: none. They receive
   * the necessary CORS headers, without credentials.
   */
  readonly origins?: readonly string[];
  /** Receives errors of the handler other than `RequestError`. The client only sees that the request failed. */
  readonly onError?: (error: unknown) => void;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

export const readNames: OptionNames<ReadBounds> = {
  maxReaders: true,
  maxReadersPerClient: true,
  clientId: true,
  timeouts: true,
  origins: true,
  onError: true,
  clock: true,
};

/**
 * Takes a place for the client that reads a response, which gives it back.
 *
 * @param answer makes the response. If it throws, nobody reads
 * @param onEnd the response has been read, its client has left, or there is no response. Called once or more often
 * @throws {RequestError} `too_many_readers`, `too_many_readers_per_client`
 */
export type ReadResponse = (
  client: string | undefined,
  signal: AbortSignal,
  answer: () => Response | PromiseLike<Response>,
  onEnd?: () => void,
) => Promise<Response>;

/**
 * Checks the options, and returns the function that counts their readers.
 *
 * A client that has accepted nothing for a while gets its place back after as long again. So one that opens responses
 * and does not read them holds no more of them than it may have, and cannot open others at once.
 *
 * @param subject the function that gets the options
 * @throws {RangeError} if a number is out of range
 * @throws {TypeError} for an unknown option: with a misspelt `clientId`, all users would be one; for no origin
 */
export function readersWith(
  subject: string,
  options: ReadBounds<never>,
  names: Readonly<Record<string, true>>,
): ReadResponse {
  checkOptions(subject, options, names);
  const { maxReaders = 1_000, maxReadersPerClient = 50, clock = systemClock, origins = [] } = options;
  for (const origin of origins) checkOriginName(subject, origin);
  wholeNumber("maxReaders of the handler", maxReaders, 1);
  wholeNumber("maxReadersPerClient of the handler", maxReadersPerClient, 1);
  const timeout = writeTimeout(options);
  const places = placesFor("readers", maxReaders, maxReadersPerClient);
  return async (client, signal, answer, onEnd = noop) => {
    let leave = noop;
    const ended = (unread: number): void => {
      onEnd();
      if (unread === 0) leave();
      else (clock.setTimeout(leave, unread) as { unref?: () => void } | undefined)?.unref?.();
    };
    try {
      leave = places.take(client);
      const response = await answer();
      const head = headOf(response);
      const { body } = response;
      if (body !== null)
        return new Response(endWhenStalled(body, { timeout, clock, signal, onEnd: ended }), head);
      ended(0);
      return new Response(null, head);
    } catch (error) {
      ended(0);
      throw error;
    }
  };
}

/** Browsers send an origin without a path, in lower case and without the usual port. Any other would never match. */
function checkOriginName(subject: string, origin: string): void {
  const isWeb = /^https?:/i.test(origin);
  const sent = isWeb && URL.canParse(origin) ? new URL(origin).origin : origin;
  if (origin === "*" || origin === "null" || (origin === sent && /^[\w+.-]+:\/\/[^/]+$/.test(origin))) return;
  throw new TypeError(
    `${quoted(origin, 80)} in origins of ${subject} is not an origin, such as "https://app.example".`,
  );
}
