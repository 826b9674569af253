import { Inlet } from "./inlet.js";
import type { Operator } from "./operator.js";
import { type Ending, ending, outlet, wait } from "./outlet.js";
import { none } from "./ready.js";

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
      let item: T | typeof none = none;
      let over: Ending | undefined;
      let watching = false;
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
      const handOn = (): T | typeof none => {
        const arrived = item;
        item = none;
        return arrived;
      };
      return {
        poll() {
          const arrived = handOn();
          if (arrived !== none) return arrived;
          if (over === undefined && !inlet.pulling) watch.onPull();
          if (over !== undefined) return ending(over);
          watching = true;
          inlet.pull();
          return wait;
        },
        ready() {
          // The first item is asked for by a poll, with which the watch begins.
          if (item === none && over === undefined && watching) inlet.pullReady();
          return handOn();
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
  /** It has given one, which was there already if it was not asked. */
  onAnswer?(): void;
  /** Once, at the end: no timer and no listener may stay. */
  close(): void;
}
