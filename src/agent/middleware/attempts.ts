import type { Clock } from "../../stream/time/clock.js";
import type { Failure } from "../../stream/core/inlet.js";
import { sleep } from "../../stream/time/sleep.js";

/** How something is tried again. */
export interface Attempts<T> {
  /** @param attempt from 0 */
  open(attempt: number): AsyncIterable<T>;
  /** An item that says that the attempt has failed, as a thrown error does. If there is another attempt, it is not shown. */
  failureIn?(item: T): Failure | undefined;
  /**
   * How long to wait before the next attempt, in milliseconds; `undefined` if this was the last.
   *
   * @param begun whether the attempt has shown an item
   */
  delay(error: unknown, attempt: number, begun: boolean): number | undefined;
  readonly clock: Clock;
  /** When it is aborted there is no further attempt. */
  readonly signal: AbortSignal;
}

/** The items of one attempt after the other, until one ends well or is the last. Its error is then thrown as it came. */
export async function* attempts<T>(options: Attempts<T>): AsyncGenerator<T, undefined, undefined> {
  const { clock, signal } = options;
  for (let attempt = 0; ; attempt++) {
    let begun = false;
    let delay: number | undefined;
    try {
      for await (const item of options.open(attempt)) {
        const failure = options.failureIn?.(item);
        if (failure !== undefined) delay = options.delay(failure.error, attempt, begun);
        if (delay !== undefined) break;
        begun = true;
        yield item;
      }
    } catch (error) {
      delay = options.delay(error, attempt, begun);
      if (delay === undefined) throw error;
    }
    if (delay === undefined) return;
    signal.throwIfAborted();
    if (delay > 0) await sleep(delay, clock, signal);
    signal.throwIfAborted();
  }
}
