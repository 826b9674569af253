import { none } from "./ready.js";

/** The items that have arrived since one was taken, merged into one. */
export interface Pending<T> {
  readonly put: (item: T) => void;
  readonly isEmpty: () => boolean;
  /** Returns the merged item, which no later item changes, or `none` if no item has arrived. */
  readonly take: () => T | typeof none;
}

/** Merges the pending item and a new one. */
export type Merge<T> = (pending: T, item: T) => T;

/** A merge function for more than two items at a time. Two at a time would copy a list for each item. */
export interface MergeOfMany<T> extends Merge<T> {
  readonly [createPending]: () => Pending<T>;
}

export const createPending: unique symbol = Symbol.for("millrace.createPending");

export function pendingItem<T>(merge: Merge<T>): Pending<T> {
  if (createPending in merge) return (merge as MergeOfMany<T>)[createPending]();
  let pending: T | typeof none = none;
  return {
    put: (item) => {
      pending = pending === none ? item : merge(pending, item);
    },
    isEmpty: () => pending === none,
    take: () => {
      const item = pending;
      pending = none;
      return item;
    },
  };
}
