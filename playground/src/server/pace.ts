import { setImmediate } from "node:timers/promises";
import type { Clock, Operator } from "millrace";
import type { Pacing } from "../protocol.js";

/** Controls the speed of a run's chunks. Can be changed at any time. */
export class Pace {
  private readonly clock: Clock;
  private pacing: Pacing;
  /** Number of single steps requested while paused. */
  private steps = 0;
  /** Time when the next chunk is due; Infinity before the first request. */
  private due = Infinity;
  /** Time when this run last yielded to the event loop. */
  private lastYield = 0;
  /** Aborted on each change, to wake the waiting stage. */
  private change = new AbortController();

  constructor(pacing: Pacing, clock: Clock) {
    this.pacing = pacing;
    this.clock = clock;
  }

  set(pacing: Pacing): void {
    this.due = Math.min(this.due, this.clock.now() + pacing.interval);
    this.pacing = pacing;
    this.changed();
  }

  /** Passes one chunk, then pauses. */
  step(): void {
    this.pacing = { ...this.pacing, playing: false };
    this.steps++;
    this.changed();
  }

  /** Creates a stage that yields each chunk when it is due and ends when the signal is aborted. */
  stage<T>(signal: AbortSignal): Operator<T, T> {
    const turn = (): Promise<void> => this.turn(signal);
    return async function* (source) {
      for await (const chunk of source) {
        await turn();
        if (signal.aborted) return;
        yield chunk;
      }
    };
  }

  private async turn(signal: AbortSignal): Promise<void> {
    const { clock } = this;
    if (this.due === Infinity) this.due = clock.now() + firstDelay;
    while (!signal.aborted && this.steps === 0) {
      const early = this.pacing.playing ? this.due - clock.now() : Infinity;
      // Timers have a resolution of 1 ms.
      if (early < 1) break;
      await sleep(early, clock, AbortSignal.any([signal, this.change.signal]));
    }
    if (this.steps > 0) this.steps--;
    const now = clock.now();
    this.due = Math.max(this.due + this.pacing.interval, now);
    if (now - this.lastYield < maxBlocking) return;
    await setImmediate();
    this.lastYield = clock.now();
  }

  private changed(): void {
    const { change } = this;
    this.change = new AbortController();
    change.abort();
  }
}

/** Milliseconds before the first chunk. Lets the first reader connect. */
const firstDelay = 20;
/** Without an interval, a run blocks the event loop for at most this many milliseconds. */
const maxBlocking = 8;

/** Resolves after `ms` milliseconds, or once the signal is aborted. */
function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clock.clearTimeout(timer);
      resolve();
    };
    const timer = clock.setTimeout(wake, signal.aborted ? 0 : ms);
    signal.addEventListener("abort", wake, { once: true });
  });
}
