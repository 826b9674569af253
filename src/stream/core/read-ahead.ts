import { Inlet } from "./inlet.js";
import type { Operator } from "../operator.js";
import { type Ending, end, ending, outlet, wait } from "./outlet.js";

/**
 * The shared part of the stages that pull before they are asked (`conflate`, `batch`, `throttle`): one pull at a time
 * into a *basin*, from the first `next()` on and as long as there is room, while the consumer is busy. An error or the
 * end of the source comes after what is in the basin.
 *
 * @param create makes the basin of one iteration. `wake` is for what changes with time, and not by an item.
 */
export function readAhead<In, Out>(create: (wake: () => void) => Basin<In, Out>): Operator<In, Out> {
  return (source) =>
    outlet((wake) => {
      const basin = create(wake);
      let over: Ending | undefined;
      const inlet = new Inlet<In>(
        source,
        (item) => {
          basin.put(item);
          if (basin.hasRoom()) inlet.pull();
          wake();
        },
        (failure) => {
          over = { failure };
          wake();
        },
      );
      return {
        poll() {
          const out = basin.take();
          if (out === end && over !== undefined) return ending(over);
          inlet.pull(); // a basin that was asked has room
          return out === end ? wait : out;
        },
        close() {
          basin.close?.();
          return inlet.close();
        },
      };
    });
}

export interface Basin<In, Out> {
  /** An item has arrived. What this throws closes the source, and comes to the consumer after what is here. */
  put(item: In): void;
  /**
   * The consumer asks. `end` if the basin is empty; `wait` if there is something, but not to be had yet: then `wake`
   * follows. A basin without room gives what it has.
   */
  take(): Out | typeof wait | typeof end;
  /** Whether to pull one more. */
  hasRoom(): boolean;
  close?(): void;
}
