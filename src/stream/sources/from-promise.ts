import { none } from "../core/ready.js";
import { done, itemOf, noop, type StreamResult } from "../core/result.js";

/**
 * A source from a promise, which is awaited with the first `next()`. An earlier rejection does not count as unhandled,
 * because `next()` will report it.
 *
 * @param open creates a source from the resolved value
 */
export function fromPromise<Input, T>(
  promise: PromiseLike<Input>,
  open: (input: Input) => AsyncIterable<T>,
): AsyncIterable<T> {
  // Calls Promise.prototype.then because an SDK's own then() may start a request.
  if (promise instanceof Promise) void Promise.prototype.then.call(promise, noop, noop);
  return { [Symbol.asyncIterator]: () => new PromisedIterator(promise, open) };
}

class PromisedIterator<Input, T> implements AsyncIterableIterator<T, undefined, undefined> {
  private readonly promise: PromiseLike<Input>;
  private readonly open: (input: Input) => AsyncIterable<T>;
  private iterator: AsyncIterator<T> | undefined;
  private opened: Promise<AsyncIterator<T>> | undefined;
  private ended = false;

  constructor(promise: PromiseLike<Input>, open: (input: Input) => AsyncIterable<T>) {
    this.promise = promise;
    this.open = open;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<StreamResult<T>> {
    if (this.ended) return done();
    try {
      const iterator = await this.opening();
      if (this.ended) return done(); // closed while the promise was pending
      const result = await iterator.next();
      if (itemOf(result) !== none) return result;
    } catch (error) {
      this.ended = true;
      throw error;
    }
    this.ended = true;
    return done();
  }

  /** Closes the source. If the promise is still pending, the source is closed when it resolves, without waiting. */
  async return(): Promise<StreamResult<T>> {
    if (this.ended) return done();
    this.ended = true;
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
