import type { Clock } from "./clock.js";
import { onAbort } from "./on-abort.js";

/** Resolves after `ms` milliseconds, or once the signal is aborted. Leaves no timer and no listener behind. */
export function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      clock.clearTimeout(timer);
      stopListening();
      resolve();
    };
    const timer = clock.setTimeout(wake, ms);
    const stopListening = onAbort(signal, wake);
  });
}
