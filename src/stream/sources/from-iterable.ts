import { isPromiseLike } from "../core/result.js";
import { none, ready, type ReadyIterator } from "../core/ready.js";
import { done, type StreamResult } from "../core/result.js";

/** An iterable as a source. Its iterator is opened with the first `next()`, and closed by an early `return()`. */
export function fromIterable<T>(iterable: Iterable<T | PromiseLike<T>>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new IterableIterator(iterable) };
}

/** By hand, as `yield*` over an iterable in an async generator costs three times as much an item. */
class IterableIterator<T> implements AsyncIterableIterator<T, undefined, undefined>, ReadyIterator<T> {
  private readonly iterable: Iterable<T | PromiseLike<T>>;
  private iterator: Iterator<T | PromiseLike<T>> | undefined;
  private over = false;
  /** What `[ready]()` has come upon, and is for `next()`: a promise, the end, an error. */
  private kept: (() => Promise<StreamResult<T>>) | undefined;

  constructor(iterable: Iterable<T | PromiseLike<T>>) {
    this.iterable = iterable;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<StreamResult<T>> {
    const item = this[ready]();
    if (item !== none) return Promise.resolve({ done: false, value: item });
    const { kept } = this;
    this.kept = undefined;
    return kept === undefined ? Promise.resolve(done()) : kept();
  }

  [ready](): T | typeof none {
    if (this.over || this.kept !== undefined) return none;
    try {
      const result = (this.iterator ??= this.iterable[Symbol.iterator]()).next();
      if (result.done !== true) {
        const { value } = result;
        if (!isPromiseLike(value)) return value;
        this.kept = () => this.settled(value);
        return none;
      }
    } catch (error) {
      this.kept = () => Promise.reject(error);
    }
    this.over = true;
    return none;
  }

  return(): Promise<StreamResult<T>> {
    this.kept = undefined;
    try {
      this.close();
      return Promise.resolve(done());
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** An item that is a promise. If it rejects, the stream has failed, and the iterable can be closed. */
  private async settled(item: PromiseLike<T>): Promise<StreamResult<T>> {
    try {
      return { done: false, value: await item };
    } catch (error) {
      this.close();
      throw error;
    }
  }

  private close(): void {
    if (this.over) return;
    this.over = true;
    this.iterator?.return?.();
  }
}
