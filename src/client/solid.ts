import { createMemo, createSignal, onCleanup, onMount } from "solid-js";
import { toObjectStore } from "./object/object-store.js";
import type { ObjectStoreOptions, SchemaType } from "./object/object-store-options.js";
import type { ObjectStore, StreamedObject } from "./object/streamed-object.js";
import type { ReadableStore } from "./store/readable-store.js";
import { trackedParts } from "./store/tracked-parts.js";
import type { StreamedThread, ThreadClient, ThreadClientOptions } from "./thread/streamed-thread.js";
import { toThreadClient } from "./thread/thread-client.js";

/**
 * Asks a server for an object and shows it while it arrives, at most once per animation frame. What reads a part of it
 * updates when that part changes. Do not destructure it, which reads only once.
 *
 * - It resumes after a reload: the id of the run is kept in `sessionStorage`, or where `remember` says.
 * - Unmounting ends the subscription. A run in a log continues, and the next mount resumes it.
 * - Server rendering and hydration show the state `idle`.
 *
 * @param source options, a function that returns them for each request, or a store that components share
 *
 * @example
 * ```ts no-run
 * import { useObject } from "millrace/solid";
 * import { z } from "zod";
 *
 * // In a component, whose JSX has {recipe.object?.title}.
 * const schema = z.object({ title: z.string(), steps: z.array(z.string()) });
 * const recipe = useObject({ api: "/api/recipe", schema });
 * const write = (): void => recipe.submit({ dish: "soup" });
 * ```
 */
export function useObject<T>(source: ObjectStore<T>): StreamedObject<T>;
export function useObject<Schema = unknown, const Elements extends boolean = false>(
  source: ObjectStoreOptions<Schema, Elements> | (() => ObjectStoreOptions<Schema, Elements>),
): StreamedObject<SchemaType<Schema, Elements>>;
export function useObject(
  source: ObjectStore<unknown> | ObjectStoreOptions | (() => ObjectStoreOptions),
): StreamedObject<unknown> {
  return signals(toObjectStore(source));
}

/**
 * Shows a conversation that `threadHandler()` serves, and an answer while it arrives, at most once per animation frame.
 * What reads a part of it updates when that part changes. Do not destructure it, which reads only once.
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
 * import { useThread } from "millrace/solid";
 *
 * // In a component, whose JSX has <For each={chat.messages}>{({ text }) => <p>{text}</p>}</For>.
 * const chat = useThread({ api: "/api/chat", id: "1" });
 * const greet = (): void => chat.send("Hello.");
 * ```
 */
export function useThread<Structured = unknown>(
  source: ThreadClient<Structured> | ThreadClientOptions | (() => ThreadClientOptions),
): StreamedThread<Structured> {
  return signals(toThreadClient<Structured>(source));
}

/** The state of a store, each part of it as a signal. */
function signals<State extends object>(store: ReadableStore<State>): State {
  const [state, setState] = createSignal(store.getInitialState());
  // Not while it renders on the server, or hydrates.
  onMount(() =>
    onCleanup(
      store.subscribe((next) => {
        setState(() => next);
      }),
    ),
  );
  return trackedParts(store, (part) => createMemo(() => state()[part]));
}
