import { Inlet } from "./inlet.js";
import type { Operator } from "../operator.js";
import { type Ending, ending, outlet, wait } from "./outlet.js";
import { none } from "./ready.js";

/**
 * The shared part of stages that forward each item unchanged but may end the stream while the source is silent
 * (`timeout`, `abortable`). The source is closed without waiting for it, and the consumer gets the error at once.
 *
 * @param creates create the interrupters of one iteration. `interrupt` ends it, also between two pulls, but not after
 *   `close()`. Two interrupters in one stage cost less per item than two stages.
 */
export function interruptible<T>(...creates: readonly CreateInterrupter[]): Operator<T, T> {
  return (source) =>
    outlet((wake) => {
      let item: T | typeof none = none;
      let ended: Ending | undefined;
      let polled = false;
      const interrupt = (error: unknown): void => {
        ended = { failure: { error } };
        inlet.abandon();
        wake();
      };
      const interrupters = creates.map((create) => create(interrupt));
      const onPull = (): void => {
        for (const interrupter of interrupters) if (ended === undefined) interrupter.onPull();
      };
      const onItem = (): void => {
        for (const interrupter of interrupters) interrupter.onItem?.();
      };
      const inlet = new Inlet<T>(
        source,
        (value) => {
          onItem();
          item = value;
          wake();
        },
        (failure) => {
          ended ??= { failure };
          wake();
        },
      );
      const takeItem = (): T | typeof none => {
        const arrived = item;
        item = none;
        return arrived;
      };
      return {
        poll() {
          const arrived = takeItem();
          if (arrived !== none) return arrived;
          if (!inlet.pulling) onPull();
          if (ended !== undefined) return ending(ended);
          polled = true;
          inlet.pull();
          return wait;
        },
        ready() {
          if (item !== none) return takeItem();
          // The first poll starts the timers and listeners, so the first item is never taken without it.
          if (ended !== undefined || !polled) return none;
          const arrived = inlet.takeReady();
          if (arrived !== none) onItem();
          return arrived;
        },
        close() {
          for (const interrupter of interrupters) interrupter.close();
          return inlet.close();
        },
      };
    });
}

export type CreateInterrupter = (interrupt: (error: unknown) => void) => Interrupter;

interface Interrupter {
  /** Called before the source is pulled. May interrupt. */
  onPull(): void;
  /** Called after an item arrived. An item that was ready has no `onPull` before it. */
  onItem?(): void;
  /** Called once at the end. Clears timers and removes listeners. */
  close(): void;
}
