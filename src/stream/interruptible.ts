import { Inlet } from "./inlet.js";
import type { Operator } from "./operator.js";
import { type Ending, ending, outlet, wait } from "./outlet.js";

/**
 * The shared part of the stages that hand on each item as it is, but may end the stream while the source is silent
 * (`timeout`, `abortable`): the source is closed without waiting for it, and the consumer gets the error at once.
 *
 * @param create makes the watch over one iteration. `interrupt` ends it, also between two pulls, but not after
 *   `close()`.
 */
export function interruptible<T>(create: (interrupt: (error: unknown) => void) => Watch): Operator<T, T> {
  return (source) =>
    outlet((wake) => {
      let item: T | typeof wait = wait;
      let over: Ending | undefined;
      const watch = create((error) => {
        over = { failure: { error } };
        inlet.abandon();
        wake();
      });
      const inlet = new Inlet<T>(
        source,
        (value) => {
          watch.onAnswer?.();
          item = value;
          wake();
        },
        (failure) => {
          over ??= { failure };
          wake();
        },
      );
      return {
        poll() {
          if (item !== wait) {
            const arrived = item;
            item = wait;
            return arrived;
          }
          if (over === undefined && !inlet.pulling) watch.onPull();
          if (over !== undefined) return ending(over);
          inlet.pull();
          return wait;
        },
        close() {
          watch.close();
          return inlet.close();
        },
      };
    });
}

export interface Watch {
  /** The source is about to be asked for an item. May interrupt. */
  onPull(): void;
  /** It has given one. */
  onAnswer?(): void;
  /** Once, at the end: no timer and no listener may stay. */
  close(): void;
}
