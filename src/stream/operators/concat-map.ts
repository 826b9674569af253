import { Inlet } from "../core/inlet.js";
import { type Ending, ending, outlet, wait } from "../core/outlet.js";
import { none } from "../core/ready.js";
import type { Operator } from "../operator.js";

/** The items of the stream that each input opens. The next input is pulled when a stream has ended. */
export function concatMap<In, Out>(open: (input: In) => AsyncIterable<Out>): Operator<In, Out> {
  return (source) =>
    outlet((wake) => {
      let item: Out | typeof none = none;
      let inner: Inlet<Out> | undefined;
      let ended: Ending | undefined;
      const onItem = (next: Out): void => {
        item = next;
        wake();
      };
      const onEnd = (failure: Ending["failure"]): void => {
        ended = { failure };
        wake();
      };
      const onInnerEnd = (failure: Ending["failure"]): void => {
        inner = undefined;
        if (failure === undefined) wake();
        else onEnd(failure);
      };
      const outer = new Inlet<In>(
        source,
        (input) => {
          inner = new Inlet<Out>(open(input), onItem, onInnerEnd);
          wake();
        },
        onEnd,
      );
      return {
        poll() {
          const arrived = item;
          item = none;
          if (arrived !== none) return arrived;
          if (ended !== undefined) return ending(ended);
          (inner ?? outer).pull();
          return wait;
        },
        async close() {
          await Promise.all([inner?.close(), outer.close()]);
        },
      };
    });
}
