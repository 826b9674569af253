import type { Operator } from "../operator.js";
import { stage } from "../core/stage.js";

/**
 * Puts a value in the place of each item. A promise that `project` returns is a value like any other: it is handed on,
 * not awaited.
 *
 * @param project gets the item and its index, counted from 0. What it throws ends the stream with that error and
 *   closes the source.
 *
 * @example
 * ```ts
 * import { collect, from, map, pipe } from "millrace";
 *
 * console.log(await collect(pipe(from(["a", "b"]), map((letter, index) => letter + index)))); // ["a0", "b1"]
 * ```
 */
export function map<In, Out>(project: (value: In, index: number) => Out): Operator<In, Out> {
  return stage((emit) => {
    let index = 0;
    return {
      next: (value) => {
        emit(project(value, index++));
      },
    };
  });
}
