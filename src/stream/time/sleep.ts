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

/**
 * The delay before a retry in milliseconds: 500, doubled with each attempt up to 8,000, less a random part of up to a
 * half. The random part spreads the retries of clients that failed at the same time.
 *
 * @param attempt from 0
 * @param random a number from 0 to 1
 */
export function backoff(attempt: number, random: () => number): number {
  return Math.min(500 * 2 ** attempt, 8_000) * (1 - random() / 2);
}
