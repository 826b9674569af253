import { useMemo, useSyncExternalStore } from "react";
import type { PatchState, PatchStore } from "./patch-store.js";

/**
 * Reads a part of a store in a React component. The component renders again only when that part changes, compared with
 * `Object.is`. Values of a store share unchanged parts, so selecting a part is enough.
 *
 * During server rendering and hydration it returns what the store holds there.
 *
 * @param select picks a part of the state. Default: the whole state. An object that it creates counts as changed with
 *   each state.
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
    // Once per state: React calls this more often and treats a new object as a change.
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
