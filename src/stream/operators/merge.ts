import { merging } from "../core/merging.js";

/**
 * Merges several sources into one stream, in order of arrival. All sources start with the first `next()`. The stream
 * ends when all have ended. Without sources, it is empty.
 *
 * It is fair: it holds at most one item of each source and pulls a source again only after its item was consumed, which
 * is when the consumer asks for the item after it. An error of a source follows the items that arrived before it, and
 * closes the other sources. An early `break` closes each source once. Closing waits for a source unless it has a pull
 * in flight, which may never settle.
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
