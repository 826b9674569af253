/**
 * Time, as the stages that need it see it. They take a `clock` option, so that a test can move time by hand
 * (`manualClock()` of `millrace/testing`).
 */
export interface Clock {
  /** Milliseconds since a moment that is the clock's own. Never goes back. */
  now(): number;
  /** Calls `callback` once, `ms` milliseconds from now. Returns what `clearTimeout` takes. */
  setTimeout(callback: () => void, ms: number): unknown;
  /** A handle that has fired or was cleared is ignored. */
  clearTimeout(handle: unknown): void;
}

/** The machine's own time, on a clock that does not jump when the date is set. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, ms) => setTimeout(callback, Math.min(ms, longestTimer)),
  clearTimeout: (handle) => {
    clearTimeout(handle as number);
  },
};

/** A timer of more than this fires at once, in every engine. Who waits longer finds that it is early, and waits on. */
const longestTimer = 2 ** 31 - 1;
