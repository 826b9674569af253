import { Inlet } from "./inlet.js";
import { end, type Ending, ending, outlet, wait } from "./outlet.js";
import { Queue } from "./queue.js";
import { none } from "./ready.js";

/**
 * An item that adds its source to the merged ones when the consumer takes it. The source is pulled at once, beside the
 * one that yielded the item.
 */
export class Joining<T> {
  readonly source: AsyncIterable<T>;
  /** What the consumer gets. Default: nothing. */
  readonly item: T | undefined;

  constructor(source: AsyncIterable<T>, item?: T) {
    this.source = source;
    this.item = item;
  }
}

/**
 * Merges sources into one stream in order of arrival. A `Joining` item adds another source. The stream ends when all
 * sources have ended. An error of one source closes all.
 */
export function merging<T>(sources: readonly AsyncIterable<T | Joining<T>>[]): AsyncIterable<T> {
  return outlet((wake) => {
    /** Items and failures in the order of their arrival. */
    const arrivals = new Queue<Arrival<T>>();
    const inlets = new Set<Inlet<T | Joining<T>>>();

    const open = (source: AsyncIterable<T | Joining<T>>): Inlet<T | Joining<T>> => {
      const inlet = new Inlet<T | Joining<T>>(
        source,
        (item) => {
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
    /** Sources to pull with the first poll. */
    let unopened = sources.map(open);
    /** The source of the latest item. It is pulled when the consumer asks again. */
    let last: Inlet<T | Joining<T>> | undefined;

    return {
      poll() {
        for (const inlet of unopened) inlet.pull();
        unopened = [];
        for (;;) {
          last?.pull();
          last = undefined;
          const arrival = arrivals.shift();
          if (arrival === undefined) return inlets.size === 0 ? end : wait;
          if ("failure" in arrival) return ending(arrival);
          const { item } = arrival;
          last = arrival.inlet;
          if (!(item instanceof Joining)) return item;
          open(item.source).pull();
          if (item.item !== undefined) return item.item;
        }
      },
      ready() {
        // With several sources, one that always has an item ready would starve the others.
        if (last === undefined || inlets.size > 1) return none;
        const item = last.takeReady();
        if (!(item instanceof Joining)) return item;
        last.deliver(item);
        last = undefined; // pulled when the item is taken
        return none;
      },
      async close() {
        await closeAll([...inlets]);
      },
    };
  });
}

type Arrival<T> = { readonly inlet: Inlet<T | Joining<T>>; readonly item: T | Joining<T> } | Ending;

/** Closes all sources even if some fail, then rejects with the first failure. */
async function closeAll<T>(inlets: readonly Inlet<T>[]): Promise<void> {
  const outcomes = await Promise.allSettled(inlets.map((inlet) => inlet.close()));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason as unknown;
}
