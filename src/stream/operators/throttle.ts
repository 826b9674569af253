import { type Clock, systemClock } from "../time/clock.js";
import { latest } from "./conflate.js";
import { milliseconds } from "../../text/check-number.js";
import { checkFunction, checkOptions, type OptionNames } from "../../text/check-options.js";
import type { Operator } from "../operator.js";
import { wait } from "../core/outlet.js";
import { none } from "../core/ready.js";
import { pendingItem } from "../core/pending.js";
import { readAhead } from "../core/read-ahead.js";

/**
 * Passes on at most one item every `ms` milliseconds. The first item passes at once. Items that arrive within the
 * interval are merged into one, as `conflate` does, and delivered when the interval is over and the consumer asks. For
 * screens that need not be drawn for each token.
 *
 * The last item is always delivered, also before an error of the source. It also waits for the interval. Holds one
 * pending item and one timer. Reads ahead without a limit and lets a `merge` that joins items grow the pending one, as
 * `conflate` does.
 *
 * @param ms the interval in milliseconds
 * @throws {RangeError} if `ms` is negative or NaN
 * @throws {TypeError} for an unknown option
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
  checkOptions("throttle()", options, { merge: true, clock: true } satisfies OptionNames<ThrottleOptions<T>>);
  milliseconds("ms of throttle(ms)", ms);
  const { merge = latest, clock = systemClock } = options;
  checkFunction("merge of throttle()", merge);
  return readAhead<T, T>((wake) => {
    const pending = pendingItem(merge);
    let notBefore = -Infinity;
    let timer: unknown;
    return {
      put: (item) => {
        pending.put(item);
        return timer === undefined;
      },
      take: () => {
        if (pending.isEmpty()) return none;
        const now = clock.now();
        if (now < notBefore) {
          timer ??= clock.setTimeout(() => {
            timer = undefined;
            wake();
          }, notBefore - now);
          return wait;
        }
        notBefore = now + ms;
        return pending.take();
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
  /** Merges the pending item and a new one. Default: keeps the new one. */
  readonly merge?: (pending: T, item: T) => T;
  /** Default: `systemClock`. */
  readonly clock?: Clock;
}
