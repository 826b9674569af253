import type { Operator } from "../operator.js";
import { checkFunction } from "../../text/check-options.js";
import { stage } from "../core/stage.js";

/**
 * Replaces each item by the value that `project` returns for it. Promises are not awaited but passed on: see
 * `mapAsync()`.
 *
 * @param project gets the item and its index, from 0. An error that it throws closes the source and ends the stream
 *   with that error
 *
 * @example
 * ```ts
 * import { collect, from, map, pipe } from "millrace";
 *
 * console.log(await collect(pipe(from(["a", "b"]), map((letter, index) => letter + index)))); // ["a0", "b1"]
 * ```
 */
export function map<In, Out>(project: (value: In, index: number) => Out): Operator<In, Out> {
  checkFunction("map()", project);
  return stage((emit) => {
    let index = 0;
    return {
      next: (value) => {
        emit(project(value, index++));
      },
    };
  });
}
