import type { Clock } from "../stream/time/clock.js";

/**
 * Creates a clock that tests advance, for everything that takes a `clock` option.
 *
 * @example
 * ```ts
 * import { collect, from, pipe, throttle } from "millrace";
 * import { manualClock } from "millrace/testing";
 *
 * const clock = manualClock();
 * const frames = collect(pipe(from([1, 2, 3]), throttle(16, { clock })));
 * await new Promise((resolve) => setTimeout(resolve));
 * console.log(clock.timers); // 1
 * clock.advance(16);
 * console.log(await frames); // [1, 3]
 * ```
 */
export function manualClock(): ManualClock {
  const timers = new Set<Timer>();
  let now = 0;
  return {
    now: () => now,
    setTimeout: (callback, ms) => {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return timer;
    },
    clearTimeout: (handle) => {
      timers.delete(handle as Timer);
    },
    advance: (ms) => {
      const until = now + ms;
      for (let timer = nextOf(timers, until); timer !== undefined; timer = nextOf(timers, until)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.callback();
      }
      now = until;
    },
    get timers() {
      return timers.size;
    },
  };
}

/** A clock that only `advance()` moves. */
export interface ManualClock extends Clock {
  /**
   * Advances the time and calls the timers that become due, in order and each at its own time. A timer that a callback
   * sets after a promise is not set yet when this returns: wait for a turn of the event loop and advance again.
   */
  advance(ms: number): void;
  /** The number of pending timers. */
  readonly timers: number;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** The earliest timer that is due. Of two for the same time, the one that was set first. */
function nextOf(timers: ReadonlySet<Timer>, until: number): Timer | undefined {
  let next: Timer | undefined;
  for (const timer of timers)
    if (timer.at <= until && (next === undefined || timer.at < next.at)) next = timer;
  return next;
}
