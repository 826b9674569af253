import type { Clock } from "../../stream/time/clock.js";
import { none, ready, type ReadyIterator, readyOf } from "../../stream/core/ready.js";
import { sleep } from "../../stream/time/sleep.js";
import { retryDelay } from "./retry.js";

export interface RetryOptions {
  readonly retries: number;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * A stream that is opened again when it fails before its first item, and never after it.
 *
 * @param open starts a request; its signal is aborted when the stream is left, which closes the connection whatever
 *   state it is in
 */
export function retrying<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  options: RetryOptions,
): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new RetryingIterator(open, options) };
}

class RetryingIterator<T> implements ReadyIterator<T> {
  private readonly open: (signal: AbortSignal) => Promise<AsyncIterable<T>>;
  private readonly options: RetryOptions;
  private readonly controller = new AbortController();
  private iterator: AsyncIterator<T> | undefined;
  private begun = false;
  private takeReady: () => T | typeof none = () => none;

  constructor(open: (signal: AbortSignal) => Promise<AsyncIterable<T>>, options: RetryOptions) {
    this.open = open;
    this.options = options;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return this.begun && this.iterator !== undefined ? this.iterator.next() : this.first();
  }

  [ready](): T | typeof none {
    return this.takeReady();
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    // The body first: to cancel one that was aborted fails. What closing a connection fails with helps nobody.
    const closing = this.iterator?.return?.();
    this.controller.abort();
    await closing?.catch(() => {});
    return { done: true, value: undefined };
  }

  private async first(): Promise<IteratorResult<T, undefined>> {
    const { signal } = this.controller;
    const { retries, random } = this.options;
    for (let attempt = 0; ; attempt++) {
      try {
        const stream = await this.open(signal);
        this.iterator = stream[Symbol.asyncIterator]();
        if (signal.aborted) await this.iterator.return?.();
        const result = await this.iterator.next();
        this.begun = true;
        this.takeReady = readyOf(this.iterator);
        return result;
      } catch (error) {
        const delay = signal.aborted ? undefined : retryDelay(error, attempt, retries, random);
        if (delay === undefined) throw error;
        this.iterator = undefined;
        await sleep(delay, this.options.clock, signal);
        signal.throwIfAborted();
      }
    }
  }
}
