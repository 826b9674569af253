import type { Operator } from "../operator.js";
import { checkFunction } from "../../text/check-options.js";
import { pendingItem } from "../core/pending.js";
import { readAhead } from "../core/read-ahead.js";

/**
 * For a consumer that is slower than its source. Items that arrive while the consumer is busy are merged into one
 * pending item. By default the latest item replaces the pending one, which suits snapshots. For patches, pass
 * `(pending, patch) => [...pending, ...patch]`.
 *
 * The pending item is delivered before the end and before an error of the source. Holds only that item, but a `merge`
 * that joins items lets it grow without a limit while the consumer is busy. Reads ahead without a limit, so use it with
 * sources that wait for something: a source that always has an item ready is read to its end while the consumer handles
 * the first item.
 *
 * @param merge merges the pending item and a new one. An error that it throws closes the source and ends the stream
 *   with that error, after the pending item
 *
 * @example
 * ```ts
 * import { collect, conflate, from, pipe } from "millrace";
 *
 * const sums = pipe(from([1, 2, 3, 4]), conflate((pending, item) => pending + item));
 * let total = 0;
 * for (const sum of await collect(sums)) total += sum;
 * console.log(total); // 10, in as many items as the consumer had time for
 * ```
 */
export function conflate<T>(merge: (pending: T, item: T) => T = latest): Operator<T, T> {
  checkFunction("conflate()", merge);
  return readAhead<T, T>(() => {
    const { put, take } = pendingItem(merge);
    return {
      put: (item) => {
        put(item);
        return true;
      },
      take,
      hasRoom: () => true,
    };
  });
}

export function latest<T>(_pending: T, item: T): T {
  return item;
}
