import { noop } from "../../stream/core/result.js";
import { inWords } from "../errors.js";
import { nextFrame } from "../store/next-frame.js";
import type { PatchState } from "../store/patch-state.js";
import { type PatchStore, patchStore } from "../store/patch-store.js";
import { callSubscribers } from "../store/call-subscriber.js";
import { runConnection, isActive } from "./connection.js";
import { Progress } from "./object-progress.js";
import type { ObjectStoreOptions, SchemaType } from "./object-store-options.js";
import type { ObjectStore, StreamedObject } from "./streamed-object.js";

/**
 * Asks a server for an object and holds it while it arrives. `useObject()` of `millrace/react`, `/vue`, `/svelte` and
 * `/solid` are thin shells around it; without a framework, use it directly.
 *
 * - `submit()` sends a `POST` with a new id in the query (`?run=…`). A lost connection is resumed with `GET`, and
 *   `stop()` sends `DELETE`, which ends the run on a server that supports it (docs/reference/serve.md). If the server refuses,
 *   `onEvent` gets `{ type: "stop_failed", error }`.
 * - The id is kept. After a reload, the first subscriber resumes the run: the value so far, then what follows.
 * - The store is connected while it has subscribers. When the last one leaves, the run continues on the server.
 * - Subscribers are notified at most once per animation frame.
 *
 * Creating a store sends nothing and touches no browser API, so it may happen during server rendering.
 *
 * @typeParam Schema the type of the schema, or of the object itself
 * @param options or a function that returns them; it is called for each request, which fails with its error
 *
 * @example
 * ```ts
 * import { streamObject } from "millrace";
 * import { createObjectStore } from "millrace/client";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const schema = z.object({ title: z.string() });
 * const recipe = createObjectStore({
 *   api: "http://localhost/recipe",
 *   schema,
 *   // Stands in for the server.
 *   fetch: async () =>
 *     streamObject({ model: scriptedModel(['{"title": "Te', 'a"}']), schema, prompt: "Tea." }).toResponse(),
 * });
 * const unsubscribe = recipe.subscribe(({ status, object }) => {
 *   if (status === "idle") recipe.submit("Tea.");
 *   if (status === "done") {
 *     console.log(object?.title); // "Tea"
 *     unsubscribe();
 *   }
 * });
 * ```
 */
export function createObjectStore<Schema = unknown, const Elements extends boolean = false>(
  options: ObjectStoreOptions<Schema, Elements> | (() => ObjectStoreOptions<Schema, Elements>),
): ObjectStore<SchemaType<Schema, Elements>> {
  type T = SchemaType<Schema, Elements>;
  const current = typeof options === "function" ? options : (): typeof options => options;
  const { schedule = nextFrame } = current();
  const subscribers = new Set<{ readonly notify: (state: StreamedObject<T>) => void }>();

  // Everything is shown by frames: patches that arrive, and what becomes of the run.
  let showPatches = noop;
  let isScheduled = false;
  const show = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    schedule(() => {
      showPatches();
      isScheduled = false;
      showPatches = noop;
      if (patches.getState() === shown) return;
      state = stateOf();
      callSubscribers(subscribers, getState);
    });
  };
  const schedulePatches = (showNow: () => void): void => {
    showPatches = showNow;
    show();
  };
  // A subscriber of a part is one of this store.
  const patches: PatchStore<T> = patchStore({ schedule: schedulePatches }, () => join());
  const { join, ...actions } = runConnection(patches, current);
  let shown: PatchState<T>;
  const stateOf = (): StreamedObject<T> => {
    shown = patches.getState();
    const { value, status, error } = shown;
    return {
      ...actions,
      object: value,
      status,
      isBusy: isActive(status),
      error: error === undefined ? undefined : inWords(error),
      progress: new Progress(shown),
    };
  };
  const initialState = stateOf();
  let state = initialState;
  const getState = (): StreamedObject<T> => state;
  // After the connection, which subscribed first.
  patches.subscribe((now) => {
    if (now !== shown) show();
  });

  return {
    ...actions,
    getState,
    getInitialState: () => initialState,
    subscribe(notify) {
      const subscriber = { notify };
      subscribers.add(subscriber);
      const leave = join();
      notify(state);
      return () => {
        subscribers.delete(subscriber);
        leave();
      };
    },
    select: (pointer: string) => patches.select(pointer) as never,
    onComplete: (pointer: string, callback: (value: never) => void) =>
      patches.onComplete(pointer as never, callback),
  };
}

/** A store that components share, or a new one. */
export function toObjectStore(
  source: ObjectStore<unknown> | ObjectStoreOptions | (() => ObjectStoreOptions),
): ObjectStore<unknown> {
  return "subscribe" in source ? source : createObjectStore(source);
}
