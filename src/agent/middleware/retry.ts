import { retryDelay } from "../../models/http/retry-delay.js";
import type { Failure } from "../../stream/core/inlet.js";
import { wholeNumber } from "../../text/check-number.js";
import type { OptionNames } from "../../text/check-options.js";
import { type Clock, systemClock } from "../../stream/time/clock.js";
import { Attempts } from "../../stream/time/attempts.js";
import type { Journal } from "../journal.js";

/** The options of `modelRetry()` and `toolRetry()`. */
export interface RetryOptions {
  /** The maximum number of attempts after the first. Default: 2. */
  readonly maxRetries?: number;
  /** Returns whether an error is worth another attempt. */
  readonly retryOn?: (error: unknown) => boolean;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Randomness for the backoff: returns a number from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

export const retryNames: OptionNames<RetryOptions> = {
  maxRetries: true,
  retryOn: true,
  clock: true,
  random: true,
};

/** When to try again, by `RetryOptions`. */
export interface RetryRule {
  readonly clock: Clock;
  /** Milliseconds until the next attempt; `undefined` to stop. */
  readonly delay: (error: unknown, failed: number) => number | undefined;
}

/**
 * @param isRetryable the default of `retryOn`
 * @throws {RangeError} if `maxRetries` is not a whole number of at least 1
 */
export function retryRule(
  { maxRetries = 2, retryOn, clock = systemClock, random = Math.random }: RetryOptions,
  isRetryable: (error: unknown) => boolean,
): RetryRule {
  wholeNumber("maxRetries", maxRetries, 1);
  return {
    clock,
    delay: (error, failed) => retryDelay(error, failed, maxRetries, random, retryOn ?? isRetryable),
  };
}

/** How to open a stream, and when to open it again. */
export interface StreamAttempts<T> {
  /** @param failed the number of attempts before, which have failed */
  open(failed: number): AsyncIterable<T> | Promise<AsyncIterable<T>>;
  /** The failure that an item reports. Before another attempt, the item is dropped. */
  failureIn?(item: T): Failure | undefined;
  /**
   * Milliseconds until the next attempt; `undefined` to stop.
   *
   * @param begun whether the attempt has yielded an item
   */
  delay(error: unknown, failed: number, begun: boolean): number | undefined;
  readonly clock: Clock;
  /** Once aborted, no further attempt starts. */
  readonly signal: AbortSignal;
  /** Records when a wait ends, so that a durable run that crashes waits only for the rest. */
  readonly journal?: Journal | undefined;
}

/**
 * Yields the items of one attempt after another, until one succeeds or is the last. The last error is thrown unchanged.
 */
export async function* runAttempts<T>(options: StreamAttempts<T>): AsyncGenerator<T, undefined, undefined> {
  const { clock, signal, journal } = options;
  let begun = false;
  const delayOf = (error: unknown, failed: number): number | undefined => options.delay(error, failed, begun);
  const attempts = new Attempts({ delay: delayOf, clock, signal });
  for (;;) {
    begun = false;
    let delay: number | undefined;
    try {
      for await (const item of await options.open(attempts.failed)) {
        const failure = options.failureIn?.(item);
        if (failure !== undefined) delay = attempts.delayAfter(failure.error);
        if (delay !== undefined) break;
        begun = true;
        yield item;
      }
    } catch (error) {
      delay = attempts.delayAfter(error);
      if (delay === undefined) throw error;
    }
    if (delay === undefined) return;
    signal.throwIfAborted();
    await attempts.wait(delay > 0 ? await restOf(delay, attempts.failed, journal) : 0);
  }
}

/** The rest of a wait. A date that has jumped makes it shorter at most, never longer. */
async function restOf(delay: number, failed: number, journal: Journal | undefined): Promise<number> {
  if (journal === undefined) return delay;
  const until = await journal.step(`wait ${failed}`, () => Promise.resolve(Date.now() + delay));
  return Math.max(0, Math.min(delay, until - Date.now()));
}
