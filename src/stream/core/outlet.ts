import { type Failure, Inlet } from "./inlet.js";
import { Queue } from "./queue.js";
import { none, ready, type ReadyIterator } from "./ready.js";
import { done, noop, rejectAfter, type Respond, resultOf, type StreamResult } from "./result.js";
import { neverPulled } from "./upstream.js";

/**
 * The primitive behind every asynchronous stage: the side that faces the consumer. A stage is a *machine* that is
 * polled and answers with an item, `wait` or `end`. Its sources (`Inlet`), timers and listeners call `wake` when the
 * answer may have changed. The iterator below handles what is easy to get wrong: a queue of `next()` calls, one end,
 * one close, and errors passed on unchanged.
 *
 * @param create creates the state of one iteration when the stream is opened. It may open sources, but must not pull.
 */
export function outlet<Out>(create: (wake: () => void) => Machine<Out>): AsyncIterable<Out> {
  return {
    [Symbol.asyncIterator]: () => {
      kept ??= [new OutletIterator(() => unused), new Inlet(neverPulled, noop, noop)];
      return new OutletIterator(create);
    },
  };
}

/** Stays alive, as `kept` in stage.ts does. */
let kept: readonly unknown[] | undefined;
const unused: Machine<never> = { poll: () => end, close: () => Promise.resolve() };

export interface Machine<Out> {
  /**
   * Called when the consumer asks, and again after each `wake` until it returns an item or `end`. An error that it
   * throws ends the stream.
   */
  poll(): Out | typeof wait | typeof end;
  /**
   * Returns an item that is ready, which then passes without a promise (ready.ts). May take it from a source but must
   * not pull or throw: report errors with the next poll.
   */
  ready?(): Out | typeof none;
  /**
   * Closes sources, clears timers, removes listeners. Called once, when the stream has ended, failed or was closed.
   * Rejects with the error of a source's `return()`.
   */
  close(): Promise<void>;
}

/** The answer of a machine that has no item yet. */
export const wait: unique symbol = Symbol("wait");
/** The answer of a machine that has no more items. */
export const end: unique symbol = Symbol("end");

/** The last answer of a machine after its source has ended. Throws the failure, if there is one. */
export function ending({ failure }: Ending): typeof end {
  if (failure !== undefined) throw failure.error;
  return end;
}

export interface Ending {
  readonly failure: Failure | undefined;
}

class OutletIterator<Out> implements AsyncIterableIterator<Out, undefined, undefined>, ReadyIterator<Out> {
  private readonly machine: Machine<Out>;
  private readonly callers = new Queue<Respond<Out>>();
  private ended = false;
  private polling = false;
  private woken = false;

  constructor(create: (wake: () => void) => Machine<Out>) {
    this.machine = create(() => {
      this.answer();
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<StreamResult<Out>> {
    if (this.ended) return Promise.resolve(done());
    const item = this[ready]();
    if (item !== none) return Promise.resolve(resultOf(item));
    return new Promise((respond) => {
      this.callers.push(respond);
      this.answer();
    });
  }

  [ready](): Out | typeof none {
    const { machine } = this;
    if (machine.ready === undefined || this.ended || this.polling || this.callers.length > 0) return none;
    this.polling = true;
    const item = machine.ready();
    this.polling = false;
    return item;
  }

  return(): Promise<StreamResult<Out>> {
    if (this.ended) return Promise.resolve(done());
    this.ended = true;
    this.endCallers();
    return this.machine.close().then(done);
  }

  throw(error: unknown): Promise<StreamResult<Out>> {
    return rejectAfter(this.return(), error);
  }

  private answer(): void {
    // A machine may be woken during a poll, for example by a source that aborts a signal in its next(). It is polled
    // again after that poll, not within it.
    this.woken = true;
    if (this.polling) return;
    this.polling = true;
    while (this.woken && !this.ended && this.callers.length > 0) {
      this.woken = false;
      try {
        const polled = this.machine.poll();
        if (polled === end) this.finish((closing) => closing.then(done));
        else if (polled !== wait) {
          this.callers.shift()?.(resultOf(polled));
          this.woken = true; // for the next caller in the queue
        }
      } catch (error) {
        this.finish((closing) => rejectAfter(closing, error));
      }
    }
    this.polling = false;
  }

  /** Closes the machine. The first caller in the queue gets the outcome, the others get the end. */
  private finish(outcome: (closing: Promise<void>) => Promise<StreamResult<Out>>): void {
    if (this.ended) return;
    this.ended = true;
    this.callers.shift()?.(outcome(this.machine.close()));
    this.endCallers();
  }

  private endCallers(): void {
    for (let caller = this.callers.shift(); caller !== undefined; caller = this.callers.shift())
      caller(done());
  }
}
