import { hasMethod } from "../text/thrown.js";
import { abortable } from "./operators/abortable.js";
import { from } from "./sources/from.js";
import { last } from "./collect.js";
import { noop } from "./core/result.js";
import { checkOptions, type OptionNames, checkArgument, checkFunction } from "../text/check-options.js";
import { wholeNumber } from "../text/check-number.js";
import { onAbort } from "./time/on-abort.js";
import type { Operator } from "./operator.js";

/**
 * Calls an operator like a function: sends one input and resolves with the last output, or `undefined` if the operator
 * emits nothing. Rejects with the stream's error.
 *
 * @example
 * ```ts
 * import { invoke, scan } from "millrace";
 *
 * console.log(await invoke(scan((sum: number, word: string) => sum + word.length, 0), "mill")); // 4
 * ```
 */
export function invoke<In, Out>(operator: Operator<In, Out>, input: In): Promise<Out | undefined> {
  checkFunction("invoke()", operator);
  return last(operator(from([input])));
}

/**
 * Runs an operator once for each input, a few inputs at a time. The results are in the order of the inputs.
 *
 * The first error rejects the promise at once. Runs in progress are closed without waiting for them, and no other run
 * starts. Aborting `signal` does the same with `signal.reason`. `inputs` is read as runs start, and closed if it is not
 * read to its end.
 *
 * @throws {TypeError} for an unknown option
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
  options: BatchInvokeOptions = {},
): Promise<(Out | undefined)[]> {
  checkOptions("batchInvoke()", options, optionNames, hints);
  checkFunction("batchInvoke()", operator);
  const isIterable = hasMethod(inputs, Symbol.iterator);
  checkArgument("batchInvoke()", "inputs that can be iterated", isIterable, inputs);
  const { concurrency = 4, signal } = options;
  wholeNumber("concurrency of batchInvoke", concurrency, 1);
  signal?.throwIfAborted();
  const results: (Out | undefined)[] = [];
  const running = new Set<Promise<void>>();
  /** Ends all runs when the caller aborts, or when one of them fails. */
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
      run.catch(noop); // reported below; the other runs fail with the same error
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
  /** The maximum number of runs at the same time. Default: 4. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

const optionNames = { concurrency: true, signal: true } satisfies OptionNames<BatchInvokeOptions>;
const hints = { maxConcurrency: 'Write "concurrency".', abortSignal: 'Write "signal".' };
