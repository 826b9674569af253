import { from } from "./sources/from.js";
import { last } from "./last.js";
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
  return last(operator(from([input])));
}
