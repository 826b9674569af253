import type { Operator } from "../operator.js";
import { checkFunction } from "../../text/check-options.js";
import { stage } from "../core/stage.js";

/**
 * Calls a function with each item and passes the item on unchanged: for logs, counters and tests.
 *
 * @param look gets the item and its index, from 0, before the next stage runs. It is not awaited. An error that it
 *   throws closes the source and ends the stream with that error
 *
 * @example
 * ```ts
 * import { collect, from, pipe, tap } from "millrace";
 *
 * let characters = 0;
 * await collect(pipe(from(["mill", "race"]), tap((chunk) => (characters += chunk.length))));
 * console.log(characters); // 8
 * ```
 */
export function tap<T>(look: (value: T, index: number) => unknown): Operator<T, T> {
  checkFunction("tap()", look);
  return stage((emit) => {
    let index = 0;
    return {
      next: (value) => {
        look(value, index++);
        emit(value);
      },
    };
  });
}
