import { wholeNumber } from "../../../text/check-number.js";
import { type Clock, systemClock } from "../../../stream/time/clock.js";
import { Places } from "./places.js";
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

/** The place of a client that reads a response. */
export interface ReaderPlace {
  /**
   * Returns the response whose body gives the place back.
   *
   * @param onEnd the body has ended, or its client has left. Called once or more often
   */
  respond(response: Response, onEnd: () => void): Response;
  /** There is no response. */
  readonly leave: () => void;
}

/**
 * Checks the options, and returns a function that takes a place for the reader of a response.
 *
 * A client that has accepted nothing for a while gets its place back after as long again. So one that opens responses
 * and does not read them holds no more of them than it may have, and cannot open others at once.
 *
 * @throws {RangeError} if a number is out of range; and, from the function, `too_many_readers` and
 *   `too_many_readers_per_client`
 */
export function readersWith(
  options: ReadBounds<never>,
): (client: string | undefined, signal: AbortSignal) => ReaderPlace {
  const { maxReaders = 1_000, maxReadersPerClient = 50, clock = systemClock } = options;
  wholeNumber("maxReaders of the handler", maxReaders, 1);
  wholeNumber("maxReadersPerClient of the handler", maxReadersPerClient, 1);
  const timeout = writeTimeout(options);
  const places = new Places("readers", maxReaders, maxReadersPerClient);
  return (client, signal) => {
    const leave = places.take(client);
    return {
      leave,
      respond(response, onEnd) {
        const head = headOf(response);
        const { body } = response;
        if (body === null) {
          leave();
          onEnd();
          return new Response(null, head);
        }
        const ended = (unread: number): void => {
          onEnd();
          if (unread === 0) leave();
          else (clock.setTimeout(leave, unread) as { unref?: () => void } | undefined)?.unref?.();
        };
        return new Response(endWhenStalled(body, { timeout, clock, signal, onEnd: ended }), head);
      },
    };
  };
}
