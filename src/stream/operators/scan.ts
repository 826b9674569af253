import type { Operator } from "../operator.js";
import { stage } from "../core/stage.js";

/**
 * A running total: folds each item into what was accumulated so far and emits the result, one for each item. `seed`
 * itself is not emitted, so an empty source gives an empty stream.
 *
 * @param fold gets what was accumulated, the item, and its index, counted from 0. What it throws ends the stream with
 *   that error and closes the source.
 * @param seed where each iteration starts. All iterations start from the same one, so `fold` must not change it.
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
