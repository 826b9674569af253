import { wholeNumber } from "../../text/check-number.js";
import type { Operator } from "../operator.js";
import { stage } from "../core/stage.js";

/**
 * Drops the last `n` items: each item waits until `n` more have arrived. For sources whose last item may be
 * unfinished.
 *
 * Holds `n` items. They are also dropped when the source fails.
 *
 * @param n a whole number, 0 or more
 * @throws {RangeError} for any other `n`
 *
 * @example
 * ```ts
 * import { collect, dropLast, from, pipe } from "millrace";
 *
 * console.log(await collect(pipe(from([1, 2, 3]), dropLast(1)))); // [1, 2]
 * ```
 */
export function dropLast<T>(n = 1): Operator<T, T> {
  if (n === Infinity)
    throw new RangeError("n of dropLast(n) must be finite, because n items are held in memory.");
  wholeNumber("n of dropLast(n)", n, 0);
  return stage((emit) => {
    const ring: T[] = [];
    let oldest = 0;
    return {
      next: (value) => {
        if (ring.length < n) {
          ring.push(value);
          return;
        }
        if (n === 0) {
          emit(value);
          return;
        }
        const held = ring[oldest] as T;
        ring[oldest] = value;
        oldest = (oldest + 1) % n;
        emit(held);
      },
    };
  });
}
