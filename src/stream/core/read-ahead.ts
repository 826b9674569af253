import { Inlet } from "./inlet.js";
import type { Operator } from "../operator.js";
import { type Ending, ending, outlet, wait } from "./outlet.js";
import { none } from "./ready.js";

/**
 * The shared part of stages that read ahead (`conflate`, `batch`, `throttle`). From the first `next()` on, they pull
 * items into a buffer, one at a time, as long as it has room, even while the consumer is busy. The end or the error of
 * the source follows the buffered items. An error of the source's `return()` is lost while a pull is in flight, because
 * the close does not wait for it.
 *
 * @param create creates the buffer of one iteration. Call `wake` for changes that come with time instead of an item.
 */
export function readAhead<In, Out>(
  create: (wake: () => void) => ReadAheadBuffer<In, Out>,
): Operator<In, Out> {
  return (source) =>
    outlet((wake) => {
      const buffer = create(wake);
      let ended: Ending | undefined;
      const inlet = new Inlet<In>(
        source,
        (item) => {
          const isDue = buffer.put(item);
          if (buffer.hasRoom()) inlet.pull();
          if (isDue) wake();
        },
        (failure) => {
          ended = { failure };
          wake();
        },
      );
      return {
        poll() {
          const out = buffer.take(ended !== undefined);
          if (out === none && ended !== undefined) return ending(ended);
          inlet.pull(); // there is room after take()
          return out === none ? wait : out;
        },
        close() {
          buffer.close?.();
          return inlet.close();
        },
      };
    });
}

export interface ReadAheadBuffer<In, Out> {
  /**
   * Adds an item. Returns whether `take()` may now give something that it did not give before. An error that it throws
   * closes the source and reaches the consumer after the buffered items.
   */
  put(item: In): boolean;
  /**
   * Takes an item for the consumer. Returns `none` if the buffer is empty, `wait` if its content is not due yet: `wake`
   * follows then. A full buffer must return an item.
   *
   * @param isOver whether the source has ended, so nothing follows that would be worth waiting for
   */
  take(isOver: boolean): Out | typeof wait | typeof none;
  /** Whether the source may be pulled for another item. */
  hasRoom(): boolean;
  close?(): void;
}
