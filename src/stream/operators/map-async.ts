import type { Operator } from "../operator.js";
import { isPromiseLike } from "../core/result.js";
import { stage } from "../core/stage.js";

/**
 * `map` for a function that may answer with a promise: one call at a time, in order. What answers at once costs no
 * promise. To run several at a time, see `batchInvoke()`.
 *
 * @param project called with the item and its index, from 0; its rejection ends the stream with that error
 *
 * @example
 * ```ts
 * import { collect, from, mapAsync, pipe } from "millrace";
 *
 * const lookUp = async (id: number) => ({ id, name: `user ${id}` });
 * console.log(await collect(pipe(from([1, 2]), mapAsync(lookUp))));
 * ```
 */
export function mapAsync<In, Out>(
  project: (value: In, index: number) => Out | PromiseLike<Out>,
): Operator<In, Out> {
  return stage((emit, _stop, wait) => {
    let index = 0;
    /** Set while a call is under way. A stage in front may give several items at a time: they take their turns. */
    let line: Promise<void> | undefined;
    const run = (value: In): void | PromiseLike<void> => {
      const result = project(value, index++);
      if (isPromiseLike(result)) return result.then(emit);
      emit(result);
    };
    return {
      next: (value) => {
        const turn = line === undefined ? run(value) : line.then(() => run(value));
        if (turn === undefined) return;
        const mine: Promise<void> = Promise.resolve(turn).then(() => {
          if (line === mine) line = undefined;
        });
        line = mine;
        wait(mine);
      },
    };
  });
}
