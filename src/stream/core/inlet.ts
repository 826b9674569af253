import { none } from "./ready.js";
import { itemOf } from "./result.js";
import { Upstream } from "./upstream.js";

/**
 * One source of an asynchronous stage. It is pulled when the stage asks, has at most one pull in flight, and reports by
 * callback. Its counterpart `outlet` faces the consumer.
 */
export class Inlet<T> {
  /** A pull is in flight. */
  pulling = false;
  private readonly upstream: Upstream<T>;
  private readonly onItem: (value: T) => void;
  private readonly onEnd: (failure: Failure | undefined) => void;

  /**
   * @param onItem called with each pulled item. An error that it throws closes the source and becomes its failure
   * @param onEnd called once when the source has ended or failed, but not after the inlet was closed
   */
  constructor(
    source: AsyncIterable<T>,
    onItem: (value: T) => void,
    onEnd: (failure: Failure | undefined) => void,
  ) {
    this.upstream = new Upstream(source);
    this.onItem = onItem;
    this.onEnd = onEnd;
  }

  /** Asks for one item. Does nothing while a pull is in flight or after the end. Always calls back asynchronously. */
  pull(): void {
    if (this.pulling || this.upstream.finished) return;
    this.pulling = true;
    this.upstream.pull(this.onResult, this.onError);
  }

  /** Returns an item that is ready, without a callback. */
  takeReady(): T | typeof none {
    return this.pulling ? none : this.upstream.takeReady();
  }

  /**
   * Closes the source once and waits for it. With a pull in flight it does not wait: a generator runs its `finally`
   * only after that pull has settled, which may never happen.
   */
  close(): Promise<void> {
    if (!this.pulling) return this.upstream.close();
    this.upstream.abandon();
    return Promise.resolve();
  }

  /** Closes the source once without waiting, for use when the consumer is about to get an error. */
  abandon(): void {
    this.upstream.abandon();
  }

  private readonly onResult = (result: IteratorResult<T>): void => {
    this.pulling = false;
    if (this.upstream.finished) return; // closed while the pull was in flight
    let item: T | typeof none;
    try {
      item = itemOf(result);
    } catch (error) {
      this.onError(error);
      return;
    }
    if (item === none) {
      this.upstream.finished = true;
      this.onEnd(undefined);
    } else this.deliver(item);
  };

  /** Passes a taken item to `onItem`, like a pulled one. */
  deliver(item: T): void {
    try {
      this.onItem(item);
    } catch (error) {
      this.upstream.abandon();
      this.onEnd({ error });
    }
  }

  private readonly onError = (error: unknown): void => {
    this.pulling = false;
    if (this.upstream.finished) return;
    this.upstream.finished = true;
    this.onEnd({ error });
  };
}

/** A boxed error, because `undefined` can be thrown too. */
export interface Failure {
  readonly error: unknown;
}
