import { wholeNumber } from "../../text/check-number.js";
import type { Operator } from "../operator.js";
import { stage } from "../core/stage.js";

/**
 * Passes on the first `n` items. The source is closed with the last of them, before the consumer asks again. `take(0)`
 * closes it without a pull.
 *
 * @param n a whole number, 0 or more; `Infinity` takes all
 * @throws {RangeError} for any other `n`
 *
 * @example
 * ```ts
 * import { collect, from, pipe, take } from "millrace";
 *
 * console.log(await collect(pipe(from([1, 2, 3]), take(2)))); // [1, 2]
 * ```
 */
export function take<T>(n: number): Operator<T, T> {
  wholeNumber("n of take(n)", n, 0);
  return stage((emit, stop) => {
    let left = n;
    if (left === 0) stop();
    return {
      next: (value) => {
        if (left === 0) return;
        left--;
        emit(value);
        if (left === 0) stop();
      },
    };
  });
}
