import { from } from "./sources/from.js";
import { last } from "./last.js";
import type { Operator } from "./operator.js";

/**
 * Uses an operator as a function: sends it one input, and gives its last output; `undefined` if it gave none. Rejects
 * with the error of the stream.
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
