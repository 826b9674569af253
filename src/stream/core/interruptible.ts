import { Inlet } from "./inlet.js";
import type { Operator } from "../operator.js";
import { type Ending, ending, outlet, wait } from "./outlet.js";
import { none } from "./ready.js";

/**
 * The shared part of the stages that hand on each item as it is, but may end the stream while the source is silent
 * (`timeout`, `abortable`): the source is closed without waiting for it, and the consumer gets the error at once.
 *
 * @param creates make the watches over one iteration. `interrupt` ends it, also between two pulls, but not after
 *   `close()`. Several in one stage cost an item less than as many stages.
 */
export function interruptible<T>(...creates: readonly CreateWatch[]): Operator<T, T> {
  return (source) =>
    outlet((wake) => {
      let item: T | typeof none = none;
      let over: Ending | undefined;
      let watching = false;
      const interrupt = (error: unknown): void => {
        over = { failure: { error } };
        inlet.abandon();
        wake();
      };
      const watches = creates.map((create) => create(interrupt));
      const onPull = (): void => {
        for (const watch of watches) if (over === undefined) watch.onPull();
      };
      const onAnswer = (): void => {
        for (const watch of watches) watch.onAnswer?.();
      };
      const inlet = new Inlet<T>(
        source,
        (value) => {
          onAnswer();
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
          if (!inlet.pulling) onPull();
          if (over !== undefined) return ending(over);
          watching = true;
          inlet.pull();
          return wait;
        },
        ready() {
          if (item !== none) return handOn();
          // The first item is asked for by a poll, with which the watch begins.
          if (over !== undefined || !watching) return none;
          const arrived = inlet.takeReady();
          if (arrived !== none) onAnswer();
          return arrived;
        },
        close() {
          for (const watch of watches) watch.close();
          return inlet.close();
        },
      };
    });
}

export type CreateWatch = (interrupt: (error: unknown) => void) => Watch;

interface Watch {
  /** The source is about to be asked for an item. May interrupt. */
  onPull(): void;
  /** It has given one, which was there already if it was not asked. */
  onAnswer?(): void;
  /** Once, at the end: no timer and no listener may stay. */
  close(): void;
}
