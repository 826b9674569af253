import { ready, type ReadyIterator, takeReady } from "./ready.js";
import { done, rejectAfter, type StreamResult } from "./result.js";

/**
 * The iterator of a wrapper: forwards `next`, `[ready]`, `return` and `throw` to another iterator, except for what
 * `overrides` replaces. Items pass unchanged, so that those that are ready can skip `next`.
 *
 * @param current the iterator to forward to. A function, as some wrappers open it late or replace it; while it returns
 *   `undefined`, `overrides.next` must answer
 */
export function forwardingIterator<T>(
  current: () => AsyncIterator<T> | undefined,
  { next, close }: ForwardingOverrides<T>,
): ReadyIterator<T> {
  const closeAll = async (): Promise<StreamResult<T>> => {
    await (close === undefined ? current()?.return?.() : close());
    return done();
  };
  return {
    next: next ?? (() => (current() as AsyncIterator<T>).next()),
    [ready]: () => takeReady(current()),
    return: closeAll,
    throw: (error: unknown) => rejectAfter(closeAll(), error),
  };
}

export interface ForwardingOverrides<T> {
  /** Replaces `next`, for example to map an error. The items must stay the same. */
  readonly next?: () => Promise<IteratorResult<T>>;
  /** Replaces the call of the iterator's `return`. */
  readonly close?: () => PromiseLike<unknown> | undefined;
}

/**
 * A stream with a signal of its own, which is aborted before the stream is closed. So it also ends while its source is
 * silent.
 *
 * @param begin opens one iteration
 * @param reason the abort reason
 */
export function abortedWhenLeft<T>(
  begin: (controller: AbortController) => AsyncIterator<T>,
  reason: () => unknown,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const controller = new AbortController();
      const iterator = begin(controller);
      return forwardingIterator(() => iterator, {
        close: () => {
          controller.abort(reason());
          return iterator.return?.();
        },
      });
    },
  };
}
