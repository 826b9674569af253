import type { Clock } from "./clock.js";
import { onAbort } from "./on-abort.js";

/** Until the time is over, or the signal is aborted. No timer and no listener stays. */
export function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
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
