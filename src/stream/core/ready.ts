/**
 * The method that takes an item that is ready, without a promise. One network read brings many tokens: only the first
 * needs a promise, and the others pass through all stages synchronously (docs/internals/performance.md).
 *
 * Only iterators of this package have it. Others are read with `next()` alone. Within a chain of stages no item needs it,
 * because neighbours fuse (`stage.ts`).
 */
export const ready: unique symbol = Symbol("ready");

/** No item is ready. Call `next()`. A value of its own, because `undefined` may be an item. */
export const none: unique symbol = Symbol("none");

export interface ReadyIterator<T> extends AsyncIterator<T> {
  /**
   * Takes the item that `next()` would resolve with at once. Only for callers who may call `next()`: no pull is in
   * flight and the iterator has not ended. Never throws: `next()` reports errors and the end.
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
