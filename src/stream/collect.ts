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
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}
