import { done, type StreamResult } from "../stream/core/result.js";

/**
 * A source that writes down what is done to it: how often it was pulled and closed, and what a polite consumer never
 * does. May be opened more than once; the counts are of all iterations together.
 *
 * Its `return()` behaves as a generator's does: while a pull is in flight it does not settle before that one. So a
 * source that hangs also hangs when it is closed.
 *
 * @param items what it gives
 * @param options how it ends, and how fast it is
 *
 * @example
 * ```ts
 * import { pipe, take } from "millrace";
 * import { spySource } from "millrace/testing";
 *
 * const source = spySource(["a", "b", "c"]);
 * for await (const item of pipe(source, take(2))) console.log(item);
 * console.log(source.pulls, source.returns, source.faults); // 2 1 []
 * ```
 */
export function spySource<T>(items: Iterable<T>, options: SpyOptions = {}): SpySource<T> {
  return new Spy([...items], options);
}

/** The options of `spySource()`. */
export interface SpyOptions {
  /** What comes after the items: the end (by default), silence for ever, or an error. */
  readonly then?: "end" | "hang" | { readonly error: unknown };
  /** Awaited before each answer. Without it the answer is there at once, that is, after one turn of the microtask queue. */
  readonly pace?: () => Promise<void>;
}

/** A source that records how it is used. */
export interface SpySource<T> extends AsyncIterable<T> {
  /** Times it was opened. */
  readonly opened: number;
  /** Calls of `next()`. */
  readonly pulls: number;
  /** Calls of `next()` that have not been answered. */
  readonly inFlight: number;
  /** The most calls of `next()` that were in flight at the same time, of one iteration. */
  readonly mostInFlight: number;
  /** Calls of `return()`. */
  readonly returns: number;
  /** Iterations that are open: neither ended nor failed nor closed. */
  readonly open: number;
  /** Sentences about what a polite consumer does not do: `next()` or `return()` after the end. */
  readonly faults: readonly string[];
}

class Spy<T> implements SpySource<T> {
  readonly items: readonly T[];
  readonly options: SpyOptions;
  opened = 0;
  pulls = 0;
  inFlight = 0;
  mostInFlight = 0;
  returns = 0;
  open = 0;
  readonly faults: string[] = [];

  constructor(items: readonly T[], options: SpyOptions) {
    this.items = items;
    this.options = options;
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    this.opened++;
    this.open++;
    return new SpyIterator(this);
  }
}

class SpyIterator<T> implements AsyncIterator<T, undefined> {
  private readonly spy: Spy<T>;
  private position = 0;
  private inFlight = 0;
  /** The last pull, which `return()` stands behind. */
  private current: Promise<unknown> = Promise.resolve();
  private over: "ended" | "failed" | "been closed" | undefined;

  constructor(spy: Spy<T>) {
    this.spy = spy;
  }

  next(): Promise<StreamResult<T>> {
    this.spy.pulls++;
    if (this.over !== undefined) this.spy.faults.push(`next() was called after the source had ${this.over}`);
    this.spy.inFlight++;
    this.inFlight++;
    this.spy.mostInFlight = Math.max(this.spy.mostInFlight, this.inFlight);
    const answer = this.answer(this.position++);
    this.current = answer;
    return answer;
  }

  return(): Promise<StreamResult<T>> {
    this.spy.returns++;
    if (this.over !== undefined)
      this.spy.faults.push(`return() was called after the source had ${this.over}`);
    this.finish("been closed");
    return this.current.then(done, done);
  }

  private answer(position: number): Promise<StreamResult<T>> {
    const { pace } = this.spy.options;
    if (pace !== undefined) return pace().then(() => this.give(position));
    return this.give(position);
  }

  private give(position: number): Promise<StreamResult<T>> {
    const { items, options } = this.spy;
    const { then = "end" } = options;
    const isItem = this.over === undefined && position < items.length;
    if (this.over === undefined && !isItem && then === "hang") return new Promise(() => {});
    this.inFlight--;
    this.spy.inFlight--;
    if (isItem) return Promise.resolve({ done: false, value: items[position] as T });
    if (this.over === undefined && typeof then === "object") {
      this.finish("failed");
      return Promise.reject(then.error);
    }
    this.finish("ended");
    return Promise.resolve(done());
  }

  private finish(how: "ended" | "failed" | "been closed"): void {
    if (this.over !== undefined) return;
    this.over = how;
    this.spy.open--;
  }
}
