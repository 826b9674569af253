import type { Operator } from "../operator.js";
import { checkFunction } from "../../text/check-options.js";
import { stage } from "../core/stage.js";

/**
 * Reduces the items and emits the accumulated value after each item. `seed` itself is not emitted, so an empty source
 * gives an empty stream.
 *
 * @param fold gets the accumulated value, the item and its index, from 0. An error that it throws closes the source and
 *   ends the stream with that error
 * @param seed the initial value. All iterations share it, so `fold` must not change it
 *
 * @example
 * ```ts
 * import { collect, from, pipe, scan } from "millrace";
 *
 * const text = pipe(from(["mill", "ra", "ce"]), scan((soFar, chunk) => soFar + chunk, ""));
 * console.log(await collect(text)); // ["mill", "millra", "millrace"]
 * ```
 */
export function scan<In, Out>(
  fold: (accumulated: Out, value: In, index: number) => Out,
  seed: Out,
): Operator<In, Out> {
  checkFunction("scan()", fold);
  return stage((emit) => {
    let accumulated = seed;
    let index = 0;
    return {
      next: (value) => {
        accumulated = fold(accumulated, value, index++);
        emit(accumulated);
      },
    };
  });
}
