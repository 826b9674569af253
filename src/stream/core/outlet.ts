import type { Failure } from "./inlet.js";
import { Queue } from "./queue.js";
import { none, ready, type ReadyIterator } from "./ready.js";
import { done, rejectAfter, type StreamResult } from "./result.js";

/**
 * The one primitive behind every asynchronous stage: the side that faces the consumer. Such a stage is a *machine* that
 * is polled: what it can give now, or that it must wait, or that it has ended. Its sources (`Inlet`), timers and
 * listeners call `wake` when that may have changed. The iterator below owns all that is easy to get wrong: callers of
 * `next()` standing in line, one end, one close, errors as they came.
 *
 * @param create makes the state of one iteration, when the stream is opened. It may open its sources, but pulls nothing.
 */
export function outlet<Out>(create: (wake: () => void) => Machine<Out>): AsyncIterable<Out> {
  return { [Symbol.asyncIterator]: () => new OutletIterator(create) };
}

export interface Machine<Out> {
  /**
   * Called when the consumer asks, and again after each `wake` until it has its answer: an item, `wait`, or `end`. What
   * it throws is the error that ends the stream.
   */
  poll(): Out | typeof wait | typeof end;
  /**
   * An item that is there already, which passes without a promise (ready.ts). May take it from a source, but pulls none,
   * and does not throw: what goes wrong is for the next poll.
   */
  ready?(): Out | typeof none;
  /**
   * Closes sources, clears timers, removes listeners. Called once, when the stream has ended, has failed or was left.
   * Rejects with what a source's `return()` fails with.
   */
  close(): Promise<void>;
}

/** Nothing yet. */
export const wait: unique symbol = Symbol("wait");
/** Nothing more. */
export const end: unique symbol = Symbol("end");

/** The last answer of a machine whose source has ended. */
export function ending({ failure }: Ending): typeof end {
  if (failure !== undefined) throw failure.error;
  return end;
}

export interface Ending {
  readonly failure: Failure | undefined;
}

interface Caller<T> {
  readonly resolve: (result: StreamResult<T> | Promise<StreamResult<T>>) => void;
  readonly reject: (error: unknown) => void;
}

class OutletIterator<Out> implements AsyncIterableIterator<Out, undefined, undefined>, ReadyIterator<Out> {
  private readonly machine: Machine<Out>;
  private readonly line = new Queue<Caller<Out>>();
  private over = false;
  private polling = false;
  private woken = false;

  constructor(create: (wake: () => void) => Machine<Out>) {
    this.machine = create(() => {
      this.serve();
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<StreamResult<Out>> {
    if (this.over) return Promise.resolve(done());
    const item = this[ready]();
    if (item !== none) return Promise.resolve({ done: false, value: item });
    return new Promise((resolve, reject) => {
      this.line.push({ resolve, reject });
      this.serve();
    });
  }

  [ready](): Out | typeof none {
    const { machine } = this;
    if (machine.ready === undefined || this.over || this.polling || this.line.length > 0) return none;
    this.polling = true;
    const item = machine.ready();
    this.polling = false;
    return item;
  }

  return(): Promise<StreamResult<Out>> {
    if (this.over) return Promise.resolve(done());
    this.over = true;
    this.dismiss();
    return this.machine.close().then(done);
  }

  throw(error: unknown): Promise<StreamResult<Out>> {
    return rejectAfter(this.return(), error);
  }

  private serve(): void {
    // A machine may be woken while it is polled, as a source may abort a signal in its next(): not polled within the
    // poll, but once more after it.
    this.woken = true;
    if (this.polling) return;
    this.polling = true;
    while (this.woken && !this.over && this.line.length > 0) {
      this.woken = false;
      try {
        const answer = this.machine.poll();
        if (answer === end) this.finish((closing) => closing.then(done));
        else if (answer !== wait) {
          this.line.shift()?.resolve({ done: false, value: answer });
          this.woken = true; // for who stands next in line
        }
      } catch (error) {
        this.finish((closing) => rejectAfter(closing, error));
      }
    }
    this.polling = false;
  }

  /** All is closed; then the first in line gets the outcome, and those behind it are done. */
  private finish(outcome: (closing: Promise<void>) => Promise<StreamResult<Out>>): void {
    if (this.over) return;
    this.over = true;
    this.line.shift()?.resolve(outcome(this.machine.close()));
    this.dismiss();
  }

  /** The stream is over for all who still stand in line. */
  private dismiss(): void {
    for (let caller = this.line.shift(); caller !== undefined; caller = this.line.shift())
      caller.resolve(done());
  }
}
