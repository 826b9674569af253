import { describe } from "../describe.js";
import { isReadyIterator, none, ready, type ReadyIterator } from "./ready.js";
import { noop } from "./result.js";

/**
 * A source as a stage sees it: opened when the stage is, closed at most once, whoever asks and however often.
 */
export class Upstream<T> {
  readonly iterator: AsyncIterator<T>;
  /** Ended, failed or closed: from here on neither `next()` nor `return()` may be called. */
  finished = false;
  /** The source, if it tells what it has there already. */
  readonly rapid: ReadyIterator<T> | undefined;

  constructor(source: AsyncIterable<T>) {
    const open = (source as Partial<AsyncIterable<T>> | null | undefined)?.[Symbol.asyncIterator];
    if (typeof open !== "function") {
      throw new TypeError(`A stage reads an async iterable, but got ${describe(source)}. Wrap it in from().`);
    }
    this.iterator = open.call(source);
    this.rapid = isReadyIterator(this.iterator) ? this.iterator : undefined;
  }

  /** An item that is there already. Not while a pull is in flight. */
  takeReady(): T | typeof none {
    return this.rapid === undefined || this.finished ? none : this.rapid[ready]();
  }

  /** Asks for the next item, not while it is asked already. Calls back later, never at once. */
  pull(onResult: (result: IteratorResult<T>) => void, onError: (error: unknown) => void): void {
    let result: Promise<IteratorResult<T>> | undefined;
    try {
      result = this.iterator.next();
      result.then(onResult, onError);
    } catch (error) {
      // As for `for await`, a result may come without a promise.
      (result === undefined ? Promise.reject(error) : Promise.resolve(result)).then(onResult, onError);
    }
  }

  /** Calls the source's `return()` if the source is still open. Rejects with what that `return()` fails with. */
  close(): Promise<void> {
    if (this.finished) return Promise.resolve();
    this.finished = true;
    try {
      return Promise.resolve(this.iterator.return?.()).then(noop);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Closes without waiting: for a source that may hang, and when another error is on its way to the consumer. */
  abandon(): void {
    this.close().catch(noop);
  }
}
