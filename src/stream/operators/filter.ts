import type { Operator } from "../operator.js";
import { atOnce, checkFunction } from "../../text/check-options.js";
import { stage } from "../core/stage.js";

/**
 * Passes on the items for which `test` returns true. A type guard narrows the type of the output.
 *
 * @param test gets the item and its index among all inputs, from 0. An error that it throws closes the source and ends
 *   the stream with that error
 *
 * @example
 * ```ts
 * import { collect, filter, from, pipe } from "millrace";
 *
 * const found = pipe(from(["to", undefined, "be"]), filter((word) => word !== undefined));
 * console.log(await collect(found)); // ["to", "be"], a string[]
 * ```
 */
export function filter<In, Out extends In>(
  test: (value: In, index: number) => value is Out,
): Operator<In, Out>;
export function filter<In>(test: (value: In, index: number) => boolean): Operator<In, In>;
export function filter<In>(test: (value: In, index: number) => boolean): Operator<In, In> {
  checkFunction("filter()", test);
  return stage((emit) => {
    let index = 0;
    return {
      next: (value) => {
        if (atOnce("filter()", test(value, index++))) emit(value);
      },
    };
  });
}
