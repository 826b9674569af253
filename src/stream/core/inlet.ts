import { none } from "./ready.js";
import { Upstream } from "./upstream.js";

/**
 * One source of an asynchronous stage: pulled when the stage says so, never twice at a time, and reporting by callback.
 * The counterpart of `outlet`, which faces the consumer.
 */
export class Inlet<T> {
  /** A pull is in flight. */
  pulling = false;
  private readonly upstream: Upstream<T>;
  private readonly onItem: (value: T) => void;
  private readonly onEnd: (failure: Failure | undefined) => void;

  /**
   * @param onItem told of what was pulled. What it throws closes the source, and is its failure
   * @param onEnd called once, unless the inlet was closed before: there is no item left, or there never will be
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

  /** Asks for one item. Nothing happens while a pull is in flight, and after the end. Calls back later, never at once. */
  pull(): void {
    if (this.pulling || this.upstream.finished) return;
    this.pulling = true;
    this.upstream.pull(this.onResult, this.onError);
  }

  /** An item that is there already: given at once, and not by callback. */
  takeReady(): T | typeof none {
    return this.pulling ? none : this.upstream.takeReady();
  }

  /**
   * Closes the source, once, and waits for it; but not while a pull is in flight. A generator runs its `finally` only
   * after the pull has settled, which may be never.
   */
  close(): Promise<void> {
    if (!this.pulling) return this.upstream.close();
    this.upstream.abandon();
    return Promise.resolve();
  }

  /** Closes the source, once, and waits for nothing: when an error is on its way to the consumer. */
  abandon(): void {
    this.upstream.abandon();
  }

  private readonly onResult = (result: IteratorResult<T>): void => {
    this.pulling = false;
    if (this.upstream.finished) return; // closed while the pull was in flight
    if (result.done === true) {
      this.upstream.finished = true;
      this.onEnd(undefined);
      return;
    }
    this.hand(result.value);
  };

  /** Treats an item that was taken as one that was pulled. */
  hand(item: T): void {
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

/** An error in a box, as `undefined` can be thrown too. */
export interface Failure {
  readonly error: unknown;
}
