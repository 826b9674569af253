/**
 * The time for stages that depend on it. They take a `clock` option, so tests can control time with `manualClock()` of
 * `millrace/testing`.
 */
export interface Clock {
  /** Milliseconds since an arbitrary moment. Never decreases. */
  now(): number;
  /** Calls `callback` once, `ms` milliseconds from now. Returns a handle for `clearTimeout`. */
  setTimeout(callback: () => void, ms: number): unknown;
  /** Cancels a timer. Does nothing if it has fired or was cleared. */
  clearTimeout(handle: unknown): void;
}

/** The clock of the machine. It does not jump when the date is set. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, ms) => setTimeout(callback, Math.min(ms, longestTimer)),
  clearTimeout: (handle) => {
    clearTimeout(handle as number);
  },
};

/** A longer timer fires at once in every engine. Callers check the time and set the timer again. */
export const longestTimer: number = 2 ** 31 - 1;
