import { type CreateWatch, interruptible } from "../core/interruptible.js";
import { onAbort } from "../time/on-abort.js";
import type { Operator } from "../operator.js";

/**
 * Ends the stream with `signal.reason` as soon as the signal is aborted, also while the source hangs, and closes the
 * source without waiting for it. Holds nothing back and reads nothing ahead.
 *
 * Listens from the first `next()` on, with one listener for all streams of a signal, and until the stream ends. A signal that is aborted by then
 * closes the source without a pull. Of a stream that is aborted while its consumer is busy the source is closed at
 * once, and the consumer gets the reason when it asks again.
 *
 * @example
 * ```ts
 * import { abortable, from, pipe } from "millrace";
 *
 * const controller = new AbortController();
 * try {
 *   for await (const number of pipe(from([1, 2, 3]), abortable(controller.signal))) {
 *     if (number === 2) controller.abort(new Error("enough"));
 *   }
 * } catch (error) {
 *   console.log(error === controller.signal.reason); // true
 * }
 * ```
 */
export function abortable<T>(signal: AbortSignal): Operator<T, T> {
  return interruptible(abortWatch(signal));
}

/** What `abortable()` does, for a stage that watches for more. */
export function abortWatch(signal: AbortSignal): CreateWatch {
  return (interrupt) => {
    let stopListening: (() => void) | undefined;
    const abort = (): void => {
      interrupt(signal.reason);
    };
    return {
      onPull: () => {
        if (stopListening !== undefined) return;
        stopListening = onAbort(signal, abort);
        if (signal.aborted) abort();
      },
      close: () => {
        stopListening?.();
      },
    };
  };
}
