import { retryDelay } from "../../models/http/retry.js";
import { type Clock, systemClock } from "../../stream/time/clock.js";
import { wholeNumber } from "../../stream/numbers.js";

/** The options of `modelRetry()` and `toolRetry()`. */
export interface RetryOptions {
  /** How often it is tried again, at the most. Default: 2. */
  readonly times?: number;
  /** Which errors are worth another attempt. */
  readonly retryOn?: (error: unknown) => boolean;
  /** The machine's clock, by default. */
  readonly clock?: Clock;
  /** For the backoff: gives numbers from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** The options as a rule, with the defaults in place. */
export function retryRule(
  { times = 2, retryOn, clock = systemClock, random = Math.random }: RetryOptions,
  worthIt: (error: unknown) => boolean,
): RetryRule {
  wholeNumber("times", times, 1);
  return {
    clock,
    delay: (error, attempt) => retryDelay(error, attempt, times, random, retryOn ?? worthIt),
  };
}

export interface RetryRule {
  readonly clock: Clock;
  /** In milliseconds; `undefined` for no further attempt. */
  readonly delay: (error: unknown, attempt: number) => number | undefined;
}
