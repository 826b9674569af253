import { hasMethod } from "../text/thrown.js";
import { checkArgument } from "../text/check-options.js";
import { done, type StreamResult } from "../stream/core/result.js";

/**
 * Creates a source that records how it is used: how often it was pulled and closed, and mistakes of its consumer. It
 * can be opened more than once. The counts cover all iterations.
 *
 * Like the `return()` of a generator, its `return()` settles only after a pull in flight. A source that hangs therefore
 * also hangs when it is closed.
 *
 * @param items the items of the source
 * @param options how the source ends, and how fast it is
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
  const isIterable = hasMethod(items, Symbol.iterator);
  checkArgument("spySource()", "items that can be iterated", isIterable, items);
  return new Spy([...items], options);
}

/** The options of `spySource()`. */
export interface SpyOptions {
  /** The behaviour of the source after the items: it ends, stays silent, or throws. Default: it ends. */
  readonly then?: "end" | "hang" | { readonly error: unknown };
  /** Awaited before each answer. By default, an answer takes one microtask. */
  readonly pace?: () => Promise<void>;
}

/** A source that records how it is used. */
export interface SpySource<T> extends AsyncIterable<T> {
  /** How often the source was opened. */
  readonly opened: number;
  /** The number of calls of `next()`. */
  readonly pulls: number;
  /** The number of calls of `next()` without an answer. */
  readonly inFlight: number;
  /** The highest number of calls of `next()` of one iteration that were in flight at the same time. */
  readonly maxInFlight: number;
  /** The number of calls of `return()`. */
  readonly returns: number;
  /** The number of open iterations: not ended, failed or closed. */
  readonly open: number;
  /** Mistakes of the consumer, as sentences: `next()` or `return()` after the end. */
  readonly faults: readonly string[];
}

class Spy<T> implements SpySource<T> {
  readonly items: readonly T[];
  readonly options: SpyOptions;
  opened = 0;
  pulls = 0;
  inFlight = 0;
  maxInFlight = 0;
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
  /** The last pull, which `return()` waits for. */
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
    this.spy.maxInFlight = Math.max(this.spy.maxInFlight, this.inFlight);
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
