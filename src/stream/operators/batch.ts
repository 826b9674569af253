import { wholeNumber } from "../../text/check-number.js";
import type { Operator } from "../operator.js";
import { wait } from "../core/outlet.js";
import { none } from "../core/ready.js";
import { readAhead } from "../core/read-ahead.js";

/**
 * Groups items that arrive together into arrays of 1 to `size` items. It waits only for the first item of a group, so
 * an item that arrives alone is passed on alone. Items arrive together if the source needs no timer, network or file
 * access between them, like the events of one network read.
 *
 * Reads ahead up to `size` items while the consumer is busy.
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
    let waiting = false;

    /** Waits for microtasks only: items that arrive within a few microtasks of each other arrive together. */
    const waitTurn = (): void => {
      if (items.length > seen) turns = 0;
      seen = items.length;
      turns++;
      if (turns < maxTurns && waiting) queueMicrotask(waitTurn);
      else wake();
    };

    return {
      put: (item) => {
        items.push(item);
        return !waiting || items.length >= size;
      },
      take: () => {
        if (items.length === 0) return none;
        if (items.length < size && turns < maxTurns) {
          if (!waiting) {
            waiting = true;
            queueMicrotask(waitTurn);
          }
          return wait;
        }
        const taken = items;
        items = [];
        seen = turns = 0;
        waiting = false;
        return taken;
      },
      hasRoom: () => items.length < size,
    };
  });
}

/**
 * The number of microtasks to wait for the next item. A native async generator over a source with ready items needs
 * three and each generator around it two more, so this covers seven generators.
 */
const maxTurns = 16;
