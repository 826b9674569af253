import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { createObjectStore } from "./object/object-store.js";
import type { ObjectStoreOptions, SchemaType } from "./object/object-store-options.js";
import { urlOf } from "./object/run-url.js";
import type { ReadableStore, StreamedObject } from "./object/streamed-object.js";

/**
 * Asks a server for an object and renders while it arrives, at most once per animation frame.
 *
 * - It resumes after a reload: the id of the run is kept in `sessionStorage`, or where `remember` says.
 * - Unmounting ends the subscription. A run in a log continues, and the next mount resumes it.
 * - Server rendering and hydration show the state `idle`.
 * - Options are read with each request. Another `api` or `key` is another object.
 *
 * Instead of options, it takes a store of `createObjectStore()` or `createPatchStore()`, which several components can
 * share. With `select`, a component renders only when its part changes, compared with `Object.is`: values share
 * unchanged parts, so selecting a part is enough.
 *
 * @param select picks a part of the state. Default: the whole state. An object that it creates counts as changed with
 *   each state.
 *
 * @example
 * ```ts no-run
 * import { useObject } from "millrace/react";
 * import { createElement, type ReactNode } from "react";
 * import { z } from "zod";
 *
 * const recipe = z.object({ title: z.string(), steps: z.array(z.string()) });
 *
 * export function Page(): ReactNode {
 *   const { object, submit, stop, error } = useObject({ api: "/api/recipe", schema: recipe });
 *   return createElement(
 *     "article",
 *     null,
 *     createElement("button", { onClick: () => submit({ dish: "soup" }) }, "Write"),
 *     createElement("button", { onClick: stop }, "Stop"),
 *     createElement("h1", null, object?.title),
 *     object?.steps?.map((step, index) => createElement("p", { key: index }, step)),
 *     error?.message,
 *   );
 * }
 * ```
 */
export function useObject<State, Part>(store: ReadableStore<State>, select: (state: State) => Part): Part;
export function useObject<State>(store: ReadableStore<State>): State;
export function useObject<Schema = unknown, const Elements extends boolean = false>(
  options: ObjectStoreOptions<Schema, Elements>,
): StreamedObject<SchemaType<Schema, Elements>>;
export function useObject(source: object, select: (state: never) => unknown = whole): unknown {
  const options = source as ObjectStoreOptions;
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const store = useMemo((): ReadableStore<unknown> => {
    if (isStore(source)) return source;
    latest.current = options;
    return createObjectStore(() => latest.current);
  }, [isStore(source) ? source : `${urlOf(options.api, "")} ${options.key}`]);
  const [getPart, getInitialPart] = useMemo(
    () => [selected(store.getState, select), selected(store.getInitialState, select)],
    [store, select],
  );
  return useSyncExternalStore(store.subscribe, getPart, getInitialPart);
}

function isStore(source: object): source is ReadableStore<unknown> {
  return "subscribe" in source;
}

/** Selects once per state: React calls this more often and treats a new object as a change. */
function selected(getState: () => unknown, select: (state: never) => unknown): () => unknown {
  let state: unknown = selected;
  let part: unknown;
  return () => {
    if (state !== getState()) {
      state = getState();
      part = select(state as never);
    }
    return part;
  };
}

function whole(state: unknown): unknown {
  return state;
}
