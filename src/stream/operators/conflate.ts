import type { Operator } from "../operator.js";
import { end } from "../core/outlet.js";
import { readAhead } from "../core/read-ahead.js";

/**
 * For a consumer that is slower than its source: what arrives while it is busy is merged into one pending item, which
 * it gets when it asks again. By default the latest item takes the place of the one before, which is right for
 * snapshots; patches are merged with `(pending, patch) => [...pending, ...patch]`.
 *
 * Nothing is lost at the end: the pending item comes before the end, and before an error of the source. Holds one item.
 * Reads ahead without a bound, so its source should be one that waits for something: a source that always has the next
 * item ready is read to its end while the consumer is busy with the first.
 *
 * @param merge makes one item out of the pending one and the one that has just arrived. What it throws closes the
 *   source and ends the stream with that error, after the pending item.
 *
 * @example
 * ```ts
 * import { collect, conflate, from, pipe } from "millrace";
 *
 * const sums = pipe(from([1, 2, 3, 4]), conflate((pending, item) => pending + item));
 * let total = 0;
 * for (const sum of await collect(sums)) total += sum;
 * console.log(total); // 10, in as few items as the consumer had time for
 * ```
 */
export function conflate<T>(merge: (pending: T, item: T) => T = latest): Operator<T, T> {
  return readAhead<T, T>(() => {
    let pending: T | typeof end = end;
    return {
      put: (item) => {
        pending = pending === end ? item : merge(pending, item);
      },
      take: () => {
        const item = pending;
        pending = end;
        return item;
      },
      hasRoom: () => true,
    };
  });
}

/** The item that has just arrived takes the place of the pending one. */
export function latest<T>(_pending: T, item: T): T {
  return item;
}
