import { backoff } from "../../stream/time/backoff.js";
import type { Clock } from "../../stream/time/clock.js";
import { onAbort } from "../../stream/time/on-abort.js";
import { sleep } from "../../stream/time/sleep.js";
import { logError } from "../errors.js";

/** How long a Redis that does not answer is waited for. */
export interface RetryOptions {
  /** Milliseconds. */
  readonly retry: number;
  readonly clock: Clock;
  readonly random: () => number;
  /** Aborted when the log is closed. */
  readonly closed: AbortSignal;
}

/**
 * Tries again until it succeeds or the time is over. An attempt that has no answer yet is waited for, not made again: the
 * clients keep what they cannot send, and would send all of it when Redis is back.
 *
 * @throws {ServeError} `log_unavailable`, with the last error as its cause
 */
export async function retryUntilAnswered<T>(
  attempt: () => Promise<T>,
  { retry, clock, random, closed }: RetryOptions,
): Promise<T> {
  const over = new AbortController();
  const giveUp = (): void => {
    over.abort(
      new Error(closed.aborted ? "The log was closed." : `Redis gave no answer within ${retry} ms.`),
    );
  };
  const timer = clock.setTimeout(giveUp, retry);
  const stopListening = onAbort(closed, giveUp);
  if (closed.aborted) giveUp();
  try {
    for (let attempts = 0; ; attempts++) {
      let cause: unknown;
      try {
        return await unlessAborted(attempt, over.signal);
      } catch (error) {
        cause = error;
      }
      if (!over.signal.aborted) await sleep(backoff(attempts, random), clock, over.signal);
      if (over.signal.aborted) throw logError("log_unavailable", { cause });
    }
  } finally {
    clock.clearTimeout(timer);
    stopListening();
  }
}

function unlessAborted<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stopListening = onAbort(signal, () => {
      reject(signal.reason as Error);
    });
    attempt().then(resolve, reject).finally(stopListening);
  });
}
