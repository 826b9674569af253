import type { Failure } from "../../stream/core/inlet.js";
import { done, type StreamResult } from "../../stream/core/result.js";

/** Who looks at one iteration of a stream. */
export interface Watch<T> {
  onItem?(item: T): void;
  /** Called once: it has come to its end, has failed, or was left before. */
  onEnd(ending: WatchEnding): void;
  /** All that the source does is done within this. */
  within?<R>(work: () => R): R;
}

export type WatchEnding = "done" | "left" | Failure;

/**
 * Hands on a stream as it is, and lets a watch see how it goes. Nothing begins before the first `next()`.
 *
 * @param open gives the stream. What it throws is the failure of the stream
 * @param begin makes the watch of an iteration
 */
export function watched<T>(open: () => AsyncIterable<T>, begin: () => Watch<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new WatchedIterator(open, begin) };
}

class WatchedIterator<T> implements AsyncIterator<T, undefined, undefined> {
  private readonly open: () => AsyncIterable<T>;
  private readonly begin: () => Watch<T>;
  private watch: Watch<T> | undefined;
  private iterator: AsyncIterator<T> | undefined;
  /** It is being closed: what a pull that is still under way comes to is not its end. */
  private leaving = false;
  private over = false;

  constructor(open: () => AsyncIterable<T>, begin: () => Watch<T>) {
    this.open = open;
    this.begin = begin;
  }

  next(): Promise<StreamResult<T>> {
    if (this.over) return Promise.resolve(done());
    this.watch ??= this.begin();
    try {
      return this.within(this.pull).then(this.onResult, this.onError);
    } catch (error) {
      return Promise.reject(this.failed(error));
    }
  }

  async return(): Promise<StreamResult<T>> {
    const { iterator } = this;
    if (this.over || iterator === undefined) {
      this.over = true;
      return done();
    }
    this.leaving = true;
    try {
      // Those inside come to their end first.
      await this.within(() => iterator.return?.());
    } finally {
      this.leaving = false;
      this.end("left");
    }
    return done();
  }

  private readonly pull = (): Promise<IteratorResult<T>> => {
    this.iterator ??= this.open()[Symbol.asyncIterator]();
    return this.iterator.next();
  };

  private readonly onResult = (result: IteratorResult<T>): StreamResult<T> => {
    if (result.done === true) {
      this.end("done");
      return done();
    }
    if (!this.over && !this.leaving) this.watch?.onItem?.(result.value);
    return result;
  };

  private readonly onError = (error: unknown): never => {
    throw this.failed(error);
  };

  private failed(error: unknown): unknown {
    this.end({ error });
    return error;
  }

  private end(ending: WatchEnding): void {
    if (this.over || this.leaving) return;
    this.over = true;
    this.watch?.onEnd(ending);
  }

  private within<R>(work: () => R): R {
    const { watch } = this;
    return watch?.within === undefined ? work() : watch.within(work);
  }
}
