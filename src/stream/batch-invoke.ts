import { abortable } from "./operators/abortable.js";
import { from } from "./sources/from.js";
import { last } from "./last.js";
import { wholeNumber } from "./numbers.js";
import { onAbort } from "./time/on-abort.js";
import type { Operator } from "./operator.js";

/**
 * `invoke` for many inputs, a few at a time. The results come in the order of the inputs, whichever is ready first.
 *
 * The first error rejects the whole at once: the runs that are under way are closed, without waiting for them, and no
 * other is started. So does the signal, with `signal.reason`. `inputs` is read as runs are started, and closed early if
 * it is not read to its end.
 *
 * @throws {RangeError} if `concurrency` is not a whole number of 1 or more
 *
 * @example
 * ```ts
 * import { batchInvoke, map } from "millrace";
 *
 * console.log(await batchInvoke(map((word: string) => word.length), ["mill", "races"], { concurrency: 2 })); // [4, 5]
 * ```
 */
export async function batchInvoke<In, Out>(
  operator: Operator<In, Out>,
  inputs: Iterable<In>,
  { concurrency = 4, signal }: BatchInvokeOptions = {},
): Promise<(Out | undefined)[]> {
  wholeNumber("concurrency of batchInvoke", concurrency, 1);
  signal?.throwIfAborted();
  const results: (Out | undefined)[] = [];
  const running = new Set<Promise<void>>();
  /** Of all that run: when the caller aborts, and when one of them fails. */
  const stop = new AbortController();
  const stopListening =
    signal &&
    onAbort(signal, () => {
      stop.abort(signal.reason);
    });

  let started = 0;
  try {
    for (const input of inputs) {
      signal?.throwIfAborted();
      const index = started++;
      const output = last(abortable<Out>(stop.signal)(operator(from([input]))));
      const run = output.then((result) => {
        results[index] = result;
        running.delete(run);
      });
      run.catch(() => {}); // what ends the whole is reported below; those it takes with it fail with the same error
      running.add(run);
      if (running.size >= concurrency) await Promise.race(running);
    }
    await Promise.all(running);
    return results;
  } catch (error) {
    stop.abort(error);
    throw error;
  } finally {
    stopListening?.();
  }
}

/** The options of `batchInvoke()`. */
export interface BatchInvokeOptions {
  /** The most runs at the same time: 4, by default. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}
