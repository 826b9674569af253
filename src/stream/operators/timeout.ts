import { type Clock, systemClock } from "../time/clock.js";
import { TimeoutError, type TimeoutLimit } from "../errors.js";
import { type CreateWatch, interruptible } from "../core/interruptible.js";
import { milliseconds } from "../numbers.js";
import type { Operator } from "../operator.js";

/**
 * Ends the stream with a `TimeoutError` when the source lets its consumer wait too long, and closes the source without
 * waiting for it. Time is counted only while a pull is pending: a slow consumer is never the source's fault.
 *
 * Holds nothing back and reads nothing ahead. Has one timer, armed again when it fires early rather than with each
 * item, and none after the end.
 *
 * @param limits milliseconds; a number is the limit for each item
 * @throws {RangeError} if a limit is negative or no number
 *
 * @example
 * ```ts
 * import { from, pipe, timeout, TimeoutError } from "millrace";
 *
 * const silent = new ReadableStream<string>();
 * try {
 *   for await (const chunk of pipe(from(silent), timeout({ first: 20, idle: 10 }))) console.log(chunk);
 * } catch (error) {
 *   console.log(error instanceof TimeoutError && error.limit); // "first"
 * }
 * ```
 */
export function timeout<T>(limits: number | TimeoutLimits, options: TimeoutOptions = {}): Operator<T, T> {
  return interruptible(timeoutWatch(limits, options));
}

/** What `timeout()` does, for a stage that watches for more. */
export function timeoutWatch(limits: number | TimeoutLimits, options: TimeoutOptions): CreateWatch {
  const {
    idle = Infinity,
    first = idle,
    total = Infinity,
  } = typeof limits === "number" ? { idle: limits } : limits;
  milliseconds("first of timeout", first);
  milliseconds("idle of timeout", idle);
  milliseconds("total of timeout", total);
  const { clock = systemClock } = options;

  return (interrupt) => {
    let items = 0;
    /** Milliseconds for which the consumer has waited so far. */
    let waited = 0;
    let askedAt = 0;
    let pending = false;
    /** When the pending pull is too late, and by which limit. */
    let deadline = Infinity;
    let limit: TimeoutLimit = "first";

    let timer: unknown;
    let firesAt = Infinity;
    const arm = (now: number): void => {
      if (deadline === Infinity) return;
      firesAt = deadline;
      timer = clock.setTimeout(onTimer, deadline - now);
    };
    const disarm = (): void => {
      if (timer !== undefined) clock.clearTimeout(timer);
      timer = undefined;
    };
    const onTimer = (): void => {
      timer = undefined;
      if (!pending) return; // the next pull arms it
      const now = clock.now();
      if (now < deadline) arm(now);
      else interrupt(new TimeoutError(limit, { first, idle, total }[limit], items));
    };

    return {
      onPull: () => {
        const now = clock.now();
        const own = items === 0 ? first : idle;
        const left = total - waited;
        limit = left < own ? "total" : items === 0 ? "first" : "idle";
        deadline = now + Math.min(own, left);
        askedAt = now;
        pending = true;
        if (timer === undefined) arm(now);
        else if (deadline < firesAt) {
          disarm();
          arm(now);
        }
      },
      onAnswer: () => {
        items++;
        if (!pending) return;
        pending = false;
        waited += clock.now() - askedAt;
      },
      close: disarm,
    };
  };
}

/** Milliseconds. A limit that is not given is none. */
export interface TimeoutLimits {
  /** The longest wait for the first item; `idle`, if not given. Models take longer for their first token. */
  readonly first?: number;
  /** The longest wait for any item after it, and for the end. */
  readonly idle?: number;
  /** The longest wait for all items together. The consumer's own time does not count. */
  readonly total?: number;
}

/** The options of `timeout()`. */
export interface TimeoutOptions {
  /** The machine's clock, by default. */
  readonly clock?: Clock;
}
