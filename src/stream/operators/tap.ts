import type { Operator } from "../operator.js";
import { stage } from "../core/stage.js";

/**
 * Looks at each item on its way and hands it on as it is: for logs, counters, tests.
 *
 * @param look gets the item and its index, counted from 0, before the next stage sees it. It is not awaited. What it
 *   throws ends the stream with that error and closes the source.
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
