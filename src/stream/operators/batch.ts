import { wholeNumber } from "../numbers.js";
import type { Operator } from "../operator.js";
import { end, wait } from "../core/outlet.js";
import { readAhead } from "../core/read-ahead.js";

/**
 * Takes together what is there already, as an array of 1 to `size` items. Only the first is waited for: an item that
 * comes alone is handed on alone. What comes with it, such as the other events of the same network read, comes along:
 * what the source has ready without waiting for a timer, the network or a file.
 *
 * Reads ahead while the consumer is busy, at most `size` items.
 *
 * @param size a whole number, 1 or more
 * @throws {RangeError} for any other `size`
 *
 * @example
 * ```ts
 * import { batch, collect, from, pipe } from "millrace";
 *
 * console.log(await collect(pipe(from([1, 2, 3, 4, 5]), batch(2)))); // [[1, 2], [3, 4], [5]]
 * ```
 */
export function batch<T>(size = 16): Operator<T, T[]> {
  wholeNumber("size of batch(size)", size, 1);
  return readAhead<T, T[]>((wake) => {
    let items: T[] = [];
    let seen = 0;
    let turns = 0;
    let lingering = false;

    /** Microtasks only: as long as items arrive within a few turns of each other, they are "there already". */
    const linger = (): void => {
      if (items.length > seen) turns = 0;
      seen = items.length;
      turns++;
      if (turns < patience && lingering) queueMicrotask(linger);
      else wake();
    };

    return {
      put: (item) => {
        items.push(item);
      },
      take: () => {
        if (items.length === 0) return end;
        if (items.length < size && turns < patience) {
          if (!lingering) {
            lingering = true;
            queueMicrotask(linger);
          }
          return wait;
        }
        const taken = items;
        items = [];
        seen = turns = 0;
        lingering = false;
        return taken;
      },
      hasRoom: () => items.length < size,
    };
  });
}

/**
 * Turns of the microtask queue for which the next item is waited for. A native async generator over a source that is ready
 * takes three, and each generator around it two more, so this is enough for seven; what waits for I/O has long left the
 * queue.
 */
const patience = 16;
