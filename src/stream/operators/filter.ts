import type { Operator } from "../operator.js";
import { stage } from "../core/stage.js";

/**
 * Lets pass the items for which `test` is true. A type guard narrows what comes out.
 *
 * @param test gets the item and its index, counted from 0 over all that arrive. What it throws ends the stream with
 *   that error and closes the source.
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
  return stage((emit) => {
    let index = 0;
    return {
      next: (value) => {
        if (test(value, index++)) emit(value);
      },
    };
  });
}
