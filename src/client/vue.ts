import {
  computed,
  type ComputedRef,
  getCurrentInstance,
  onMounted,
  onScopeDispose,
  type ShallowRef,
  shallowRef,
} from "vue";
import { toObjectStore } from "./object/object-store.js";
import type { ObjectStoreOptions, SchemaType } from "./object/object-store-options.js";
import type { ObjectActions, ObjectStore, StreamedObject } from "./object/streamed-object.js";
import type { ReadableStore } from "./store/readable-store.js";
import { changingParts } from "./store/tracked-parts.js";
import type {
  StreamedThread,
  ThreadActions,
  ThreadClient,
  ThreadClientOptions,
} from "./thread/streamed-thread.js";
import { toThreadClient } from "./thread/thread-client.js";

/**
 * Asks a server for an object and shows it while it arrives, at most once per animation frame. Each part is a ref,
 * which a template unwraps, and triggers only when that part changes.
 *
 * - It resumes after a reload: the id of the run is kept in `sessionStorage`, or where `remember` says.
 * - Unmounting ends the subscription. A run in a log continues, and the next mount resumes it.
 * - Server rendering and hydration show the state `idle`.
 *
 * @param source options, a function that returns them for each request, or a store that components share
 *
 * @example
 * ```ts no-run
 * import { useObject } from "millrace/vue";
 * import { defineComponent, h } from "vue";
 * import { z } from "zod";
 *
 * const recipe = z.object({ title: z.string(), steps: z.array(z.string()) });
 *
 * export default defineComponent({
 *   setup() {
 *     const { object, submit, error } = useObject({ api: "/api/recipe", schema: recipe });
 *     return () => [
 *       h("button", { onClick: () => submit({ dish: "soup" }) }, "Write"),
 *       h("h1", object.value?.title),
 *       object.value?.steps?.map((step) => h("p", step)),
 *       h("output", error.value?.message),
 *     ];
 *   },
 * });
 * ```
 */
export function useObject<T>(source: ObjectStore<T>): ObjectRefs<T>;
export function useObject<Schema = unknown, const Elements extends boolean = false>(
  source: ObjectStoreOptions<Schema, Elements> | (() => ObjectStoreOptions<Schema, Elements>),
): ObjectRefs<SchemaType<Schema, Elements>>;
export function useObject(
  source: ObjectStore<unknown> | ObjectStoreOptions | (() => ObjectStoreOptions),
): ObjectRefs<unknown> {
  return refs(toObjectStore(source)) as ObjectRefs<unknown>;
}

/** The parts of a `StreamedObject` as refs, and its actions. */
export type ObjectRefs<T> = ObjectActions & {
  readonly [Part in Exclude<keyof StreamedObject<T>, keyof ObjectActions>]: ComputedRef<
    StreamedObject<T>[Part]
  >;
};

/**
 * Shows a conversation that `threadHandler()` serves, and an answer while it arrives, at most once per animation frame.
 * Each part is a ref.
 *
 * - It loads the conversation, and the answer that is being written, also after a reload.
 * - Unmounting ends the subscription. An answer continues, and the next mount shows it.
 * - Server rendering and hydration show the status `loading`.
 *
 * @param source options, a function that returns them for each request, or a client that components share. The `id` is
 *   that of the first call: another conversation is another component, by its key
 *
 * @example
 * ```ts no-run
 * import { useThread } from "millrace/vue";
 * import { defineComponent, h } from "vue";
 *
 * export default defineComponent({
 *   setup() {
 *     const { messages, send, error } = useThread({ api: "/api/chat", id: "1" });
 *     return () => [
 *       messages.value.map(({ id, text }) => h("p", { key: id }, text)),
 *       h("button", { onClick: () => send("Hello.") }, "Greet"),
 *       h("output", error.value?.message),
 *     ];
 *   },
 * });
 * ```
 */
export function useThread<Structured = unknown>(
  source: ThreadClient<Structured> | ThreadClientOptions | (() => ThreadClientOptions),
): ThreadRefs<Structured> {
  return refs(toThreadClient<Structured>(source)) as ThreadRefs<Structured>;
}

/** The parts of a `StreamedThread` as refs, and its actions. */
export type ThreadRefs<Structured = unknown> = ThreadActions & {
  readonly [Part in Exclude<keyof StreamedThread<Structured>, keyof ThreadActions>]: ComputedRef<
    StreamedThread<Structured>[Part]
  >;
};

/** The state of a store, each part of it as a ref. */
function refs<State extends object>(store: ReadableStore<State>): unknown {
  const initialState = store.getInitialState();
  const state = shallowRef(initialState) as ShallowRef<State>;
  let unsubscribe: (() => void) | undefined;
  const begin = (): void => {
    unsubscribe = store.subscribe((next) => {
      state.value = next;
    });
  };
  // Not while it renders on the server, or hydrates.
  if (getCurrentInstance() === null) begin();
  else onMounted(begin);
  onScopeDispose(() => unsubscribe?.());
  const read = (part: keyof State): ComputedRef => computed(() => state.value[part]);
  return {
    ...initialState,
    ...Object.fromEntries(changingParts(initialState).map((part) => [part, read(part)])),
  };
}
