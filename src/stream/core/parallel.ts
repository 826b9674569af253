import { Inlet } from "./inlet.js";
import { type Ending, ending, outlet, wait } from "./outlet.js";

export interface ParallelOptions {
  /** The maximum number of calls at the same time. */
  readonly concurrency: number;
  /** Whether results come in the order of the items. */
  readonly ordered: boolean;
  /** The maximum number of items that are in work or whose results wait for the consumer. */
  readonly maxHeld: number;
}

/**
 * Calls `work` with each item, several at a time, and yields the results. It reads an item only when there is room for
 * its result, so a slow consumer stops the source.
 *
 * An error of the source comes after the results of the items before it. A rejection of `work` ends the stream after
 * the results that have arrived, and aborts the signal of the other calls, as leaving does.
 */
export function parallel<In, Out>(
  source: AsyncIterable<In>,
  work: (item: In, index: number, signal: AbortSignal) => Promise<Out>,
  { concurrency, ordered, maxHeld }: ParallelOptions,
): AsyncIterable<Out> {
  return outlet<Out>((wake) => {
    const stop = new AbortController();
    /** Results that the consumer has not taken, by the index of their item, in the order of their arrival. */
    const results = new Map<number, Out>();
    let running = 0;
    let begun = 0;
    let taken = 0;
    let ended: Ending | undefined;
    let rejected: Ending | undefined;

    const fill = (): void => {
      if (ended !== undefined || rejected !== undefined) return;
      if (running < concurrency && running + results.size < maxHeld) inlet.pull();
    };
    const begin = async (item: In): Promise<void> => {
      const index = begun++;
      running++;
      try {
        results.set(index, await work(item, index, stop.signal));
      } catch (error) {
        rejected ??= { failure: { error } };
      }
      running--;
      fill();
      wake();
    };
    const inlet = new Inlet<In>(
      source,
      (item) => {
        void begin(item);
        fill();
      },
      (failure) => {
        ended = { failure };
        wake();
      },
    );

    return {
      poll() {
        const next = ordered ? taken : results.keys().next().value;
        if (next !== undefined && results.has(next)) {
          const result = results.get(next) as Out;
          results.delete(next);
          taken++;
          fill();
          return result;
        }
        if (rejected !== undefined) return ending(rejected);
        if (ended !== undefined && running === 0) return ending(ended);
        fill();
        return wait;
      },
      close() {
        stop.abort();
        return inlet.close();
      },
    };
  });
}
