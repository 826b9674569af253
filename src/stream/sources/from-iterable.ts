import { isPromiseLike } from "../core/result.js";
import { none, ready, type ReadyIterator } from "../core/ready.js";
import { done, type StreamResult } from "../core/result.js";

/** A source from an iterable. The first `next()` opens its iterator, and an early `return()` closes it. */
export function fromIterable<T>(iterable: Iterable<T | PromiseLike<T>>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new IterableIterator(iterable) };
}

/** A class, because `yield*` in an async generator costs three times as much per item. */
class IterableIterator<T> implements AsyncIterableIterator<T, undefined, undefined>, ReadyIterator<T> {
  private readonly iterable: Iterable<T | PromiseLike<T>>;
  private iterator: Iterator<T | PromiseLike<T>> | undefined;
  private ended = false;
  /** An item that is a promise: found by `[ready]()` and left for `next()` to await. */
  private promised: PromiseLike<T> | undefined;
  /** Found by `[ready]()` and left for `next()` to report. */
  private failure: { readonly error: unknown } | undefined;

  constructor(iterable: Iterable<T | PromiseLike<T>>) {
    this.iterable = iterable;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<StreamResult<T>> {
    const item = this[ready]();
    if (item !== none) return Promise.resolve({ done: false, value: item });
    const { promised, failure } = this;
    this.promised = undefined;
    this.failure = undefined;
    if (promised !== undefined) return this.settled(promised);
    return failure === undefined ? Promise.resolve(done()) : Promise.reject(failure.error);
  }

  [ready](): T | typeof none {
    if (this.ended || this.promised !== undefined) return none;
    try {
      const result = (this.iterator ??= this.iterable[Symbol.iterator]()).next();
      if (result.done !== true) {
        const { value } = result;
        if (!isPromiseLike(value)) return value;
        this.promised = value;
        return none;
      }
    } catch (error) {
      this.failure = { error };
    }
    this.ended = true;
    return none;
  }

  return(): Promise<StreamResult<T>> {
    this.promised = undefined;
    this.failure = undefined;
    try {
      this.close();
      return Promise.resolve(done());
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Awaits an item that is a promise. A rejection fails the stream and closes the iterable. */
  private async settled(item: PromiseLike<T>): Promise<StreamResult<T>> {
    try {
      return { done: false, value: await item };
    } catch (error) {
      try {
        this.close();
      } catch {
        // the rejection came first
      }
      throw error;
    }
  }

  private close(): void {
    if (this.ended) return;
    this.ended = true;
    this.iterator?.return?.();
  }
}
