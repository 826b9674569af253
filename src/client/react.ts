import { useMemo, useSyncExternalStore } from "react";
import type { PatchState, PatchStore } from "./patch-store.js";

/**
 * A store in a React component: the part that `select` picks. The component renders again only when that part changes, by
 * `Object.is`; the values of a store share what has not changed, so it is enough to pick it out.
 *
 * On a server, and while hydrating, it is what the store holds there.
 *
 * @param select of the state; all of it, by default. What it makes anew counts as changed with each state.
 *
 * @example
 * ```ts no-run
 * import { createPatchStore } from "millrace/client";
 * import { useStructured } from "millrace/react";
 *
 * const store = createPatchStore<{ title: string; steps: string[] }>();
 * void store.connect("/runs/1");
 *
 * export function Title(): string {
 *   return useStructured(store, ({ value }) => value?.title) ?? "…";
 * }
 * ```
 */
export function useStructured<T, Part>(store: PatchStore<T>, select: (state: PatchState<T>) => Part): Part;
export function useStructured<T>(store: PatchStore<T>): PatchState<T>;
export function useStructured<T>(
  store: PatchStore<T>,
  select: (state: PatchState<T>) => unknown = whole,
): unknown {
  const getPart = useMemo(() => {
    let state: PatchState<T> | undefined;
    let part: unknown;
    // Once for each state, as React asks more often and takes what is new for changed.
    return () => {
      if (state !== store.getState()) {
        state = store.getState();
        part = select(state);
      }
      return part;
    };
  }, [store, select]);
  return useSyncExternalStore(store.subscribe, getPart, getPart);
}

function whole<T>(state: PatchState<T>): PatchState<T> {
  return state;
}
