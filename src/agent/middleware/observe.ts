import type { Failure } from "../../stream/core/inlet.js";
import { none } from "../../stream/core/ready.js";
import { done, itemOf, noop, type StreamResult } from "../../stream/core/result.js";

/** Sees the items and the end of one iteration of a stream. */
export interface StreamObserver<T> {
  /** An error that it throws closes the stream and becomes its failure. */
  onItem?(item: T): void;
  /**
   * Called once when the iteration ends. The end waits for a promise that it returns, and fails with it, unless it has
   * failed before.
   */
  onEnd(ending: StreamEnding): unknown;
  /** Wraps all calls into the source, to set a context for them. */
  within?<R>(work: () => R): R;
}

/** How an iteration ended: the source ended (`done`), the consumer left the loop (`left`), or the source failed. */
export type StreamEnding = "done" | "left" | Failure;

/**
 * Yields the items of a stream unchanged, and reports them to an observer. Nothing starts before the first `next()`.
 *
 * @param open returns the stream. An error that it throws counts as a failure of the stream
 * @param begin makes the observer of one iteration
 */
export function observe<T>(open: () => AsyncIterable<T>, begin: () => StreamObserver<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new ObservedIterator(open, begin) };
}

class ObservedIterator<T> implements AsyncIterator<T, undefined, undefined> {
  private readonly open: () => AsyncIterable<T>;
  private readonly begin: () => StreamObserver<T>;
  private observer: StreamObserver<T> | undefined;
  private iterator: AsyncIterator<T> | undefined;
  /** It has ended or is being closed, so a pending pull no longer reports items or the end. */
  private over = false;

  constructor(open: () => AsyncIterable<T>, begin: () => StreamObserver<T>) {
    this.open = open;
    this.begin = begin;
  }

  next(): Promise<StreamResult<T>> {
    if (this.over) return Promise.resolve(done());
    try {
      this.observer ??= this.begin();
      return this.within(this.pull).then(this.onResult, this.onError);
    } catch (error) {
      return Promise.reject(this.failed(error));
    }
  }

  async return(): Promise<StreamResult<T>> {
    if (!this.over && this.iterator !== undefined) await this.close("left");
    this.over = true;
    return done();
  }

  private readonly pull = (): Promise<IteratorResult<T>> => {
    this.iterator ??= this.open()[Symbol.asyncIterator]();
    return this.iterator.next();
  };

  private readonly onResult = (result: IteratorResult<T>): StreamResult<T> | Promise<StreamResult<T>> => {
    let item: T | typeof none;
    try {
      item = itemOf(result);
    } catch (error) {
      throw this.failed(error);
    }
    if (item === none) {
      const ended = this.end("done");
      return ended instanceof Promise ? ended.then(() => done()) : done();
    }
    try {
      if (!this.over) this.observer?.onItem?.(item);
    } catch (error) {
      this.close({ error }).catch(noop); // not awaited: a source that merges others may hang
      throw error;
    }
    return { done: false, value: item };
  };

  private readonly onError = (error: unknown): never => {
    throw this.failed(error);
  };

  private failed(error: unknown): unknown {
    try {
      const ended = this.end({ error });
      if (ended instanceof Promise) ended.catch(noop);
    } catch {
      // The first error counts.
    }
    return error;
  }

  private end(ending: StreamEnding): unknown {
    if (this.over) return undefined;
    this.over = true;
    return this.observer?.onEnd(ending);
  }

  /** Closes the source first, so inner observers end before this one. */
  private async close(ending: StreamEnding): Promise<void> {
    this.over = true;
    try {
      await this.within(() => this.iterator?.return?.());
    } finally {
      await this.observer?.onEnd(ending);
    }
  }

  private within<R>(work: () => R): R {
    const { observer } = this;
    return observer?.within === undefined ? work() : observer.within(work);
  }
}
