import { Inlet } from "./inlet.js";
import { type Ending, ending, outlet, wait } from "./outlet.js";
import { Queue } from "./queue.js";
import { none } from "./ready.js";

/**
 * Several sources as one stream, each item as it arrives: what `merge` is, with the means to let another source join.
 *
 * @param onItem told of each item when it has arrived; what it adds is pulled at once. What it throws is a failure of the
 *   item's source, which counts behind the items that came before.
 */
export function merging<T>(
  sources: readonly AsyncIterable<T>[],
  onItem?: (item: T, add: (source: AsyncIterable<T>) => void) => void,
): AsyncIterable<T> {
  return outlet((wake) => {
    /** What has arrived: an item, or why there are no more. */
    const arrivals = new Queue<Arrival<T>>();
    const inlets = new Set<Inlet<T>>();

    const open = (source: AsyncIterable<T>): Inlet<T> => {
      const inlet = new Inlet<T>(
        source,
        (item) => {
          onItem?.(item, (added) => {
            open(added).pull();
          });
          arrivals.push({ inlet, item });
          wake();
        },
        (failure) => {
          if (failure !== undefined) arrivals.push({ failure });
          else inlets.delete(inlet);
          wake();
        },
      );
      inlets.add(inlet);
      return inlet;
    };
    /** To be asked with the next poll: at first all, then the one whose item was handed on last. */
    let due: readonly Inlet<T>[] = sources.map(open);
    const handOn = (): Arrival<T> | undefined => {
      const arrival = arrivals.shift();
      due = arrival !== undefined && "inlet" in arrival ? [arrival.inlet] : [];
      return arrival;
    };

    return {
      poll() {
        for (const inlet of due) inlet.pull();
        const arrival = handOn();
        if (arrival === undefined) return inlets.size === 0 ? ending(clean) : wait;
        return "failure" in arrival ? ending(arrival) : arrival.item;
      },
      ready() {
        const [inlet] = due;
        // One of several sources that had more each time would leave the others behind.
        if (inlet === undefined || inlets.size > 1 || !inlet.pullReady()) return none;
        const arrival = handOn();
        return arrival !== undefined && "inlet" in arrival ? arrival.item : none;
      },
      async close() {
        await closeAll([...inlets]);
      },
    };
  });
}

type Arrival<T> = { readonly inlet: Inlet<T>; readonly item: T } | Ending;

const clean: Ending = { failure: undefined };

/** Closes all, whatever one of them fails with; then rejects with the first failure. */
async function closeAll<T>(inlets: readonly Inlet<T>[]): Promise<void> {
  const outcomes = await Promise.allSettled(inlets.map((inlet) => inlet.close()));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason as unknown;
}
