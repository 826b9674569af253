import { type CreateInterrupter, interruptible } from "../core/interruptible.js";
import { onAbort } from "../time/on-abort.js";
import type { Operator } from "../operator.js";

/**
 * Ends the stream with `signal.reason` as soon as the signal is aborted, even while the source hangs. Closes the source
 * without waiting for it. Buffers no items and reads none ahead.
 *
 * Listens to the signal from the first `next()` until the stream ends. All streams of a signal share one listener. If
 * the signal is already aborted at the first `next()`, the source is closed without a pull. An abort while the consumer
 * is busy closes the source at once, and the consumer gets the reason with its next pull.
 *
 * The signal holds the stream until it ends or is closed, because an abort must close its source. `for await` closes
 * it. Call `return()` yourself if you call `next()` yourself: a stream that is dropped stays in memory as long as the
 * signal.
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
  return interruptible(abortInterrupter(signal));
}

/** The part of `abortable()` that a stage can combine with other interrupters. */
export function abortInterrupter(signal: AbortSignal): CreateInterrupter {
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
