import { kindName } from "../../text/kind-name.js";
import { isReadyIterator, none, ready, type ReadyIterator } from "./ready.js";
import { done, noop } from "./result.js";

/** The source of a stage: opened with the stage and closed at most once. */
export class Upstream<T> {
  readonly iterator: AsyncIterator<T>;
  /** Ended, failed or closed: `next()` and `return()` must not be called anymore. */
  finished = false;
  /** The source, if it can have items ready. */
  readonly readyIterator: ReadyIterator<T> | undefined;

  constructor(source: AsyncIterable<T>) {
    const open = (source as Partial<AsyncIterable<T>> | null | undefined)?.[Symbol.asyncIterator];
    if (typeof open !== "function") {
      throw new TypeError(`A stage reads an async iterable, but got ${kindName(source)}. Wrap it in from().`);
    }
    this.iterator = open.call(source);
    this.readyIterator = isReadyIterator(this.iterator) ? this.iterator : undefined;
  }

  /** Takes an item that is ready. Not allowed while a pull is in flight. */
  takeReady(): T | typeof none {
    return this.readyIterator === undefined || this.finished ? none : this.readyIterator[ready]();
  }

  /**
   * Asks for the next item. Not allowed while a pull is in flight. Always calls back asynchronously.
   *
   * @param onResult reads the result with `itemOf()`. Must not throw
   */
  pull(onResult: (result: IteratorResult<T>) => void, onError: (error: unknown) => void): void {
    let result: Promise<IteratorResult<T>> | undefined;
    let answered = false;
    try {
      result = this.iterator.next();
      answered = true;
      result.then(onResult, onError);
    } catch (error) {
      // `for await` also accepts a result without a promise.
      const settled = answered ? Promise.resolve<unknown>(result) : Promise.reject(error);
      settled.then(onResult as (result: unknown) => void, onError);
    }
  }

  /** Calls the source's `return()` if the source is still open. Rejects with the error of that call. */
  close(): Promise<void> {
    if (this.finished) return Promise.resolve();
    this.finished = true;
    try {
      return Promise.resolve(this.iterator.return?.()).then(noop);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Closes without waiting: for a source that may hang, and when the consumer gets another error. */
  abandon(): void {
    this.close().catch(noop);
  }
}

/** The source of the iterators that only stay alive (see `kept` in stage.ts). */
export const neverPulled: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(done()) }),
};
