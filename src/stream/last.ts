/**
 * The last item of a stream, when it has ended; `undefined` if it was empty. Rejects with the error of the stream.
 *
 * @example
 * ```ts
 * import { from, last } from "millrace";
 *
 * console.log(await last(from(["mill", "race"]))); // "race"
 * ```
 */
export async function last<T>(source: AsyncIterable<T>): Promise<T | undefined> {
  let latest: T | undefined;
  for await (const item of source) latest = item;
  return latest;
}
