import type { Operator } from "../operator.js";
import { isPromiseLike } from "../core/result.js";
import { checkFunction } from "../../text/check-options.js";
import { stage } from "../core/stage.js";

/**
 * `map` for a function that may return a promise. It runs one call at a time, in order. Values that are returned
 * directly create no promise. To run several calls at a time, see `batchInvoke()`.
 *
 * @param project gets the item and its index, from 0. A rejection ends the stream with that error
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
  checkFunction("mapAsync()", project);
  return stage((emit, _stop, wait) => {
    let index = 0;
    /**
     * Set while a call is pending. An earlier stage may emit several items at once, which then run one after the other.
     */
    let pending: Promise<void> | undefined;
    const run = (value: In): void | PromiseLike<void> => {
      const result = project(value, index++);
      if (isPromiseLike(result)) return result.then(emit);
      emit(result);
    };
    return {
      next: (value) => {
        const turn = pending === undefined ? run(value) : pending.then(() => run(value));
        if (turn === undefined) return;
        const own: Promise<void> = Promise.resolve(turn).then(() => {
          if (pending === own) pending = undefined;
        });
        pending = own;
        wait(own);
      },
    };
  });
}
