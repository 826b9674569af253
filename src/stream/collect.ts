import { checkSource } from "./pipe.js";

/**
 * Resolves with all items of a stream after it has ended. Rejects with the stream's error.
 *
 * @example
 * ```ts
 * import { collect, from } from "millrace";
 *
 * console.log(await collect(from(["mill", "race"]))); // ["mill", "race"]
 * ```
 */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  checkSource("collect()", source);
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

/**
 * Resolves with the last item of a stream after it has ended, or `undefined` if the stream is empty. Rejects
 * with the stream's error.
 *
 * @example
 * ```ts
 * import { from, last } from "millrace";
 *
 * console.log(await last(from(["mill", "race"]))); // "race"
 * ```
 */
export async function last<T>(source: AsyncIterable<T>): Promise<T | undefined> {
  checkSource("last()", source);
  let latest: T | undefined;
  for await (const item of source) latest = item;
  return latest;
}
