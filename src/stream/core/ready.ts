/**
 * Items that are there already, handed on without a promise. One read of a network brings many tokens: only the first
 * has to be waited for, and the others pass through all stages of a pipeline at once (docs/performance.md).
 *
 * Only our own iterators have it; any other is asked by `next()` alone.
 */
export const ready: unique symbol = Symbol("ready");

/** There is none: `next()` tells whether one comes. An item of its own, as `undefined` is one like any other. */
export const none: unique symbol = Symbol("none");

export interface ReadyIterator<T> extends AsyncIterator<T> {
  /**
   * What `next()` would give at once. May be called where `next()` may: by who wants an item now, without a pull in
   * flight, not after the end. Never throws: an error, like the end, waits for `next()`.
   */
  [ready](): T | typeof none;
}

/** Takes an item that the iterator has ready. Iterators that are not ours never have one. */
export function takeReady<T>(iterator: AsyncIterator<T> | undefined): T | typeof none {
  return iterator !== undefined && isReadyIterator(iterator) ? iterator[ready]() : none;
}

export function isReadyIterator<T>(iterator: AsyncIterator<T>): iterator is ReadyIterator<T> {
  return ready in iterator;
}
