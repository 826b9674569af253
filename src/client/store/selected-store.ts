import type { DeepPartial } from "../../json/deep-partial.js";
import type { ValueAt, ValuePointer } from "../../json/typed-pointer.js";
import { noop } from "../../stream/core/result.js";
import type { ReadableStore } from "./readable-store.js";
import type { SelectedPlaces } from "./selected-places.js";

/** The value at a pointer. Immutable: each change creates a new object. */
export interface SelectedState<T> {
  /** The value so far. `undefined` before it appears, and after it is gone. */
  readonly value: DeepPartial<T> | undefined;
  /** Whether the value can no longer change: `isComplete()` of the store. */
  readonly isComplete: boolean;
}

/** A store whose parts can be watched on their own. */
export interface Selectable<T> {
  /**
   * Returns the value at a JSON Pointer as a store, whose subscribers are notified only when that value has changed or
   * is complete. The cost of a patch depends on the values that it changes, not on the number of subscribers. The value
   * may come later, move, or go. While it is subscribed, the same pointer gives the same store.
   *
   * The pointer of an element is its index: after an insertion before it, another element is there.
   *
   * @throws {TypeError} if the text is not a JSON Pointer
   */
  select<const Pointer extends string>(pointer: ValuePointer<T, Pointer>): SelectedStore<ValueAt<T, Pointer>>;
  /**
   * Calls `callback` once with the value at a JSON Pointer, as soon as it is complete; at once if it is already. It
   * keeps waiting when the stream ends without the value, because another one may have it.
   *
   * @returns a function that stops waiting
   * @throws {TypeError} if the text is not a JSON Pointer
   */
  onComplete<const Pointer extends string>(
    pointer: ValuePointer<T, Pointer>,
    callback: (value: ValueAt<T, Pointer>) => void,
  ): () => void;
}

/**
 * A part of the value of a store, as a store. Created by `store.select(pointer)`. `useObject()` of `millrace/react` and
 * `<Streamed of>` read it.
 */
export interface SelectedStore<T> extends ReadableStore<SelectedState<T>> {
  /** The value at the pointer. Unchanged parts are the same objects as before. */
  readonly getSnapshot: () => DeepPartial<T> | undefined;
}

/**
 * @param places where its subscribers wait for changes
 * @param read returns the state at the keys. It is called when the state is needed, so that all stores agree at any
 *   time.
 * @param join called for each subscriber; it returns a function for the end of the subscription
 */
export function selectedStore(
  places: SelectedPlaces<SelectedStore<unknown>>,
  keys: readonly string[],
  read: () => SelectedState<unknown>,
  join: () => () => void,
): SelectedStore<unknown> {
  let state: SelectedState<unknown> = nothing;
  const getState = (): SelectedState<unknown> => {
    const now = read();
    if (now.value !== state.value || now.isComplete !== state.isComplete) state = now;
    return state;
  };
  const store: SelectedStore<unknown> = {
    getState,
    getInitialState: () => nothing,
    getSnapshot: () => getState().value,
    subscribe(notify) {
      const leave = join();
      let last = getState();
      const unsubscribe = places.watch(keys, store, () => {
        if (last === getState()) return;
        last = state;
        notify(last);
      });
      notify(last);
      return () => {
        unsubscribe();
        leave();
      };
    },
  };
  return store;
}

export function onceComplete(part: SelectedStore<unknown>, callback: (value: never) => void): () => void {
  let isDone = false;
  let unsubscribe = noop;
  unsubscribe = part.subscribe(({ value, isComplete }) => {
    if (!isComplete || isDone) return;
    isDone = true;
    unsubscribe();
    callback(value as never);
  });
  if (isDone) unsubscribe();
  return unsubscribe;
}

const nothing: SelectedState<never> = { value: undefined, isComplete: false };
