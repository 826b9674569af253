import { Inlet } from "./inlet.js";
import { type Ending, ending, outlet, wait } from "./outlet.js";
import { Queue } from "./queue.js";
import { none } from "./ready.js";

/** Among the items of a source: another one, which joins and is pulled at once, while the source goes on. */
export class Joining<T> {
  readonly source: AsyncIterable<T>;

  constructor(source: AsyncIterable<T>) {
    this.source = source;
  }
}

/**
 * Several sources as one stream, each item as it arrives: what `merge` is, and sources that items bring along join. The
 * stream ends when all have ended; an error of one closes all.
 */
export function merging<T>(sources: readonly AsyncIterable<T | Joining<T>>[]): AsyncIterable<T> {
  return outlet((wake) => {
    /** What has arrived: an item, or why there are no more. */
    const arrivals = new Queue<Arrival<T>>();
    const inlets = new Set<Inlet<T | Joining<T>>>();

    const open = (source: AsyncIterable<T | Joining<T>>): Inlet<T | Joining<T>> => {
      const inlet = new Inlet<T | Joining<T>>(
        source,
        (item) => {
          if (item instanceof Joining) {
            open(item.source).pull();
            inlet.pull();
            return;
          }
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
    /** To be asked with the first poll. */
    let unasked = sources.map(open);
    /** Whose item was handed on last: to be asked with the next one. */
    let last: Inlet<T | Joining<T>> | undefined;

    return {
      poll() {
        for (const inlet of unasked) inlet.pull();
        unasked = [];
        last?.pull();
        last = undefined;
        const arrival = arrivals.shift();
        if (arrival === undefined) return inlets.size === 0 ? ending(clean) : wait;
        if ("failure" in arrival) return ending(arrival);
        last = arrival.inlet;
        return arrival.item;
      },
      ready() {
        // One of several sources that had more each time would leave the others behind.
        if (last === undefined || inlets.size > 1) return none;
        const item = last.takeReady();
        if (!(item instanceof Joining)) return item;
        last.hand(item);
        return none;
      },
      async close() {
        await closeAll([...inlets]);
      },
    };
  });
}

type Arrival<T> = { readonly inlet: Inlet<T | Joining<T>>; readonly item: T } | Ending;

const clean: Ending = { failure: undefined };

/** Closes all, whatever one of them fails with; then rejects with the first failure. */
async function closeAll<T>(inlets: readonly Inlet<T>[]): Promise<void> {
  const outcomes = await Promise.allSettled(inlets.map((inlet) => inlet.close()));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason as unknown;
}
