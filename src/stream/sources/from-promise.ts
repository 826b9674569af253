import { done, noop, type StreamResult } from "../core/result.js";

/**
 * What is promised, as a source. The promise is awaited with the first `next()`; until then its rejection is not
 * "unhandled", as it will be reported there.
 *
 * @param open makes a source of what was promised
 */
export function fromPromise<Input, T>(
  promise: PromiseLike<Input>,
  open: (input: Input) => AsyncIterable<T>,
): AsyncIterable<T> {
  // Not its own then(): the promise of an SDK may start its work with that.
  if (promise instanceof Promise) void Promise.prototype.then.call(promise, noop, noop);
  return { [Symbol.asyncIterator]: () => new PromisedIterator(promise, open) };
}

class PromisedIterator<Input, T> implements AsyncIterableIterator<T, undefined, undefined> {
  private readonly promise: PromiseLike<Input>;
  private readonly open: (input: Input) => AsyncIterable<T>;
  private iterator: AsyncIterator<T> | undefined;
  private opened: Promise<AsyncIterator<T>> | undefined;
  private over = false;

  constructor(promise: PromiseLike<Input>, open: (input: Input) => AsyncIterable<T>) {
    this.promise = promise;
    this.open = open;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<StreamResult<T>> {
    if (this.over) return done();
    try {
      const iterator = await this.opening();
      if (this.over) return done(); // closed while the promise was pending
      const result = await iterator.next();
      if (result.done !== true) return result;
    } catch (error) {
      this.over = true;
      throw error;
    }
    this.over = true;
    return done();
  }

  /** Closes what was promised. If it is not there yet, then when it comes, without waiting for that. */
  async return(): Promise<StreamResult<T>> {
    if (this.over) return done();
    this.over = true;
    if (this.iterator !== undefined) await this.iterator.return?.();
    else
      this.opening()
        .then((iterator) => iterator.return?.(), noop)
        .catch(noop);
    return done();
  }

  private opening(): Promise<AsyncIterator<T>> {
    this.opened ??= Promise.resolve(this.promise).then((input) => {
      return (this.iterator = this.open(input)[Symbol.asyncIterator]());
    });
    return this.opened;
  }
}
