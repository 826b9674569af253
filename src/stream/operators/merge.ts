import { merging } from "../core/merging.js";

/**
 * Several sources as one stream, each item as it arrives. All start with the first `next()`; the stream ends when all
 * have ended, and without sources it is empty.
 *
 * Fair: holds at most one item of each source, in the order of arrival, and asks a source again only when its item was
 * consumed, which is when the consumer asks for the one after it. An error of one source comes after what had arrived
 * before, and closes all others. An early `break` closes all, each once. Closing waits for each source, but not for one
 * that has a pull in flight: that may never settle.
 *
 * @example
 * ```ts
 * import { collect, from, merge } from "millrace";
 *
 * console.log(await collect(merge(from(["a", "b"]), from([1, 2])))); // ["a", 1, "b", 2], a (string | number)[]
 * ```
 */
export function merge<Items extends readonly unknown[]>(
  ...sources: { readonly [Index in keyof Items]: AsyncIterable<Items[Index]> }
): AsyncIterable<Items[number]> {
  return merging<Items[number]>(sources as readonly AsyncIterable<Items[number]>[]);
}
