import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../stream/time/clock.js";
import type { Operator } from "../../../stream/operator.js";
import { sleep } from "../../../stream/time/sleep.js";
import type { Pacing } from "../protocol.js";

/** How fast the chunks of a run pass. May be changed at any time. */
export class Pace {
  private readonly clock: Clock;
  private pacing: Pacing;
  /** Chunks that may pass although nothing plays. */
  private steps = 0;
  /** When the next chunk is due; nobody has asked for one yet. */
  private due = Infinity;
  /** When others had their turn last. */
  private breath = 0;
  /** Aborted by what may let a chunk pass earlier. */
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

  /** Lets one chunk pass, and stands still. */
  step(): void {
    this.pacing = { ...this.pacing, playing: false };
    this.steps++;
    this.changed();
  }

  /** Hands on each chunk when it is its turn, and ends when the signal is aborted. */
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
      // Timers are no finer than that.
      if (early < 1) break;
      await sleep(early, clock, AbortSignal.any([signal, this.change.signal]));
    }
    if (this.steps > 0) this.steps--;
    const now = clock.now();
    this.due = Math.max(this.due + this.pacing.interval, now);
    if (now - this.breath < longestBreath) return;
    await setImmediate();
    this.breath = clock.now();
  }

  private changed(): void {
    const { change } = this;
    this.change = new AbortController();
    change.abort();
  }
}

/** So that its first reader is there before the first chunk is. */
const firstDelay = 20;
/** Without an interval the server is held up for as many milliseconds at most. */
const longestBreath = 8;
