import type { Clock } from "./clock.js";
import { sleep } from "./sleep.js";

/** When a job is tried again. */
export interface AttemptOptions {
  /**
   * Milliseconds until the next attempt; `undefined` to stop. `usualDelay()` is the usual rule.
   *
   * @param failed how many attempts had failed before
   */
  readonly delay: (error: unknown, failed: number) => number | undefined;
  readonly clock: Clock;
  /** Once aborted, no further attempt starts. */
  readonly signal: AbortSignal;
}

/**
 * Counts the attempts at one job, and waits between them. All retries of the package follow it, but those of
 * `retrying()` and of agents after an invalid answer, which ask at once, and of the client: `for (;;) try { return await work(); } catch (error) { await
 * attempts.after(error); }`
 */
export class Attempts {
  failed = 0;
  private readonly options: AttemptOptions;

  constructor(options: AttemptOptions) {
    this.options = options;
  }

  /** Counts a failure. Returns the milliseconds until the next attempt; `undefined` if there is none. */
  delayAfter(error: unknown): number | undefined {
    return this.options.delay(error, this.failed++);
  }

  /** @throws the reason of the signal */
  async wait(delay: number): Promise<void> {
    const { clock, signal } = this.options;
    await sleep(delay, clock, signal);
    signal.throwIfAborted();
  }

  /** Waits for the next attempt. @throws the error, if there is none; the reason of the signal */
  async after(error: unknown): Promise<void> {
    const delay = this.delayAfter(error);
    if (delay === undefined) throw error;
    await this.wait(delay);
  }
}

/** Runs work until an attempt succeeds or is the last. */
export async function attempt<T>(work: () => Promise<T>, options: AttemptOptions): Promise<T> {
  const attempts = new Attempts(options);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      await attempts.after(error);
    }
  }
}

/** The usual rule: a number of retries, after some errors. */
export interface AttemptRule {
  readonly maxRetries: number;
  readonly retryOn: (error: unknown) => boolean;
  /** The delay that the other side asks for, in milliseconds. */
  readonly retryAfter?: (error: unknown) => number | undefined;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

/** The delay that the other side asks for, otherwise that of `backoff()`; `undefined` to stop. */
export function usualDelay(
  error: unknown,
  failed: number,
  { maxRetries, retryOn, retryAfter, random }: AttemptRule,
): number | undefined {
  if (!(failed < maxRetries) || !retryOn(error)) return undefined;
  return retryAfter?.(error) ?? backoff(failed, random);
}

/**
 * The delay before a retry in milliseconds: 500, doubled with each attempt up to 8,000, less a random part of up to a
 * half. The random part spreads the retries of clients that failed at the same time.
 *
 * @param failed how many attempts had failed before
 * @param random a number from 0 to 1
 */
export function backoff(failed: number, random: () => number): number {
  return Math.min(500 * 2 ** failed, 8_000) * (1 - random() / 2);
}
