import { Inlet } from "./inlet.js";
import { type Ending, ending, outlet, wait } from "./outlet.js";
import { Queue } from "./queue.js";

/**
 * Several sources as one stream, each item as it arrives. All start with the first `next()`; the stream ends when all
 * have ended, and without sources it is empty.
 *
 * Fair: holds at most one item of each source, in the order of arrival, and asks a source again only when its item was
 * consumed, which is when the consumer asks for the one after it. An error of one source comes after what had arrived
 * before, and closes all others. An early `break` closes all, each once. Closing waits for each source, but not for one
 * that has a pull in flight: that may never settle.
 *
 * @example
 * ```ts
 * import { collect, from, merge } from "millrace";
 *
 * console.log(await collect(merge(from(["a", "b"]), from([1, 2])))); // ["a", 1, "b", 2], a (string | number)[]
 * ```
 */
export function merge<Items extends readonly unknown[]>(
  ...sources: { readonly [Index in keyof Items]: AsyncIterable<Items[Index]> }
): AsyncIterable<Items[number]> {
  return outlet((wake) => {
    /** What has arrived: an item, or why there are no more. */
    const arrivals = new Queue<Arrival<Items[number]>>();
    /** To be asked with the next poll: at first all, then the one whose item was handed on last. */
    let due: readonly Inlet<Items[number]>[];
    let open = sources.length;

    const inlets = (sources as readonly AsyncIterable<Items[number]>[]).map((source) => {
      const inlet = new Inlet<Items[number]>(
        source,
        (item) => {
          arrivals.push({ inlet, item });
          wake();
        },
        (failure) => {
          if (failure !== undefined) arrivals.push({ failure });
          else open--;
          wake();
        },
      );
      return inlet;
    });
    due = inlets;

    return {
      poll() {
        for (const inlet of due) inlet.pull();
        due = [];
        const arrival = arrivals.shift();
        if (arrival === undefined) return open === 0 ? ending(clean) : wait;
        if ("failure" in arrival) return ending(arrival);
        due = [arrival.inlet];
        return arrival.item;
      },
      async close() {
        await closeAll(inlets);
      },
    };
  });
}

type Arrival<T> = { readonly inlet: Inlet<T>; readonly item: T } | Ending;

const clean: Ending = { failure: undefined };

/** Closes all, whatever one of them fails with; then rejects with the first failure. */
async function closeAll(inlets: readonly Inlet<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(inlets.map((inlet) => inlet.close()));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason as unknown;
}
