import { attempt, backoff } from "../../stream/time/attempts.js";
import type { Clock } from "../../stream/time/clock.js";
import { onAbort } from "../../stream/time/on-abort.js";
import { isInstance } from "../../text/thrown.js";
import { logError } from "../errors.js";

/** Replies to any attempt: another program's key, a user without permission, keys in several slots of a cluster. */
const refusals = /^(?:WRONGTYPE|NOPERM|NOAUTH|WRONGPASS|CROSSSLOT) /;

export interface RetryUntilAnsweredOptions {
  /** Milliseconds until it gives up. */
  readonly reconnectTimeout: number;
  readonly clock: Clock;
  readonly random: () => number;
  /** Aborted when the log is closed. */
  readonly closed: AbortSignal;
}

/**
 * Retries until an attempt succeeds, is refused for good, or the time is over. A pending attempt is awaited, not
 * repeated: the clients queue commands while disconnected and would send all of them later.
 *
 * @throws {ServeError} `log_unavailable`, with the last error as its cause
 */
export async function retryUntilAnswered<T>(
  request: () => Promise<T>,
  { reconnectTimeout, clock, random, closed }: RetryUntilAnsweredOptions,
): Promise<T> {
  const over = new AbortController();
  const giveUp = (): void => {
    over.abort(
      new Error(
        closed.aborted ? "The log was closed." : `Redis did not answer within ${reconnectTimeout} ms.`,
      ),
    );
  };
  const timer = clock.setTimeout(giveUp, reconnectTimeout);
  const stopListening = onAbort(closed, giveUp);
  if (closed.aborted) giveUp();
  const { signal } = over;
  let cause: unknown;
  const delay = (error: unknown, failed: number): number | undefined => {
    cause = error;
    if (isInstance(error, Error) && refusals.test(error.message)) return undefined;
    // A longer delay would miss a Redis that is back shortly before the end.
    return Math.min(backoff(failed, random), 1_000);
  };
  try {
    return await attempt(() => unlessAborted(request, signal), { delay, clock, signal });
  } catch {
    throw logError("log_unavailable", { cause });
  } finally {
    clock.clearTimeout(timer);
    stopListening();
  }
}

function unlessAborted<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stopListening = onAbort(signal, () => {
      reject(signal.reason as Error);
    });
    request().then(resolve, reject).finally(stopListening);
  });
}
