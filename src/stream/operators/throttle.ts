import { type Clock, systemClock } from "../time/clock.js";
import { latest } from "./conflate.js";
import { milliseconds } from "../numbers.js";
import type { Operator } from "../operator.js";
import { end, wait } from "../core/outlet.js";
import { readAhead } from "../core/read-ahead.js";

/**
 * At most one item in `ms` milliseconds: the first at once, and then, as soon as the time is over and the consumer
 * asks, what has arrived meanwhile, merged into one item as `conflate` does. For a screen that need not be drawn for
 * each token.
 *
 * The last item is always delivered, and before an error of the source; they too wait until the time is over. Holds
 * one item and one timer. Reads ahead without a bound, as `conflate` does.
 *
 * @param ms milliseconds from one item to the next
 * @throws {RangeError} if `ms` is negative or no number
 *
 * @example
 * ```ts
 * import { collect, from, pipe, throttle } from "millrace";
 *
 * const frames = await collect(pipe(from([1, 2, 3]), throttle(16)));
 * console.log(frames[0], frames.at(-1)); // 1 3
 * ```
 */
export function throttle<T>(ms: number, options: ThrottleOptions<T> = {}): Operator<T, T> {
  milliseconds("ms of throttle(ms)", ms);
  const { merge = latest, clock = systemClock } = options;
  return readAhead<T, T>((wake) => {
    let pending: T | typeof end = end;
    let notBefore = -Infinity;
    let timer: unknown;
    return {
      put: (item) => {
        pending = pending === end ? item : merge(pending, item);
      },
      take: () => {
        if (pending === end) return end;
        const now = clock.now();
        if (now < notBefore) {
          timer ??= clock.setTimeout(() => {
            timer = undefined;
            wake();
          }, notBefore - now);
          return wait;
        }
        notBefore = now + ms;
        const item = pending;
        pending = end;
        return item;
      },
      hasRoom: () => true,
      close: () => {
        if (timer !== undefined) clock.clearTimeout(timer);
      },
    };
  });
}

/** The options of `throttle()`. */
export interface ThrottleOptions<T> {
  /** Makes one item out of the pending one and the one that has just arrived. The latest, by default. */
  readonly merge?: (pending: T, item: T) => T;
  /** The machine's clock, by default. */
  readonly clock?: Clock;
}
