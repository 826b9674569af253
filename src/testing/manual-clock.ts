import type { Clock } from "../stream/time/clock.js";

/**
 * A clock that stands still until it is moved, for tests of whatever takes a `clock`.
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

/** A clock that stands still until it is told to go on. */
export interface ManualClock extends Clock {
  /**
   * Moves time on, and calls what is due on the way, in order and each at its own time. A timer that is set in answer
   * to it, but only after a promise, is not there yet: let a turn pass, and advance again.
   */
  advance(ms: number): void;
  /** How many timers are set. */
  readonly timers: number;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** The earliest of those that are due; of two at the same time, the one that was set first. */
function nextOf(timers: ReadonlySet<Timer>, until: number): Timer | undefined {
  let next: Timer | undefined;
  for (const timer of timers)
    if (timer.at <= until && (next === undefined || timer.at < next.at)) next = timer;
  return next;
}
