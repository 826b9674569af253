import { memo, type ReactNode, useEffect, useMemo, useSyncExternalStore } from "react";
import type { DeepPartial } from "../json/deep-partial.js";
import { createObjectStore } from "./object/object-store.js";
import type { ObjectStoreOptions, SchemaType } from "./object/object-store-options.js";
import { runUrl } from "./object/run-url.js";
import type { StreamedObject } from "./object/streamed-object.js";
import type { ReadableStore } from "./store/readable-store.js";
import type { SelectedState, SelectedStore } from "./store/selected-store.js";
import type { StreamedThread, ThreadClient, ThreadClientOptions } from "./thread/streamed-thread.js";
import { createThreadClient } from "./thread/thread-client.js";

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
  return useSource(source as ObjectStoreOptions, createObjectStore, keyOfObject, select);
}

function keyOfObject({ api, key }: ObjectStoreOptions): string {
  return `${runUrl(api, "")} ${key}`;
}

/**
 * Shows a conversation that `threadHandler()` serves, and renders while an answer arrives, at most once per animation
 * frame.
 *
 * - It loads the conversation, and the answer that is being written, also after a reload.
 * - Unmounting ends the subscription. An answer continues, and the next mount shows it.
 * - Server rendering and hydration show the status `loading`.
 * - Options are read with each request. Another `api` or `id` is another conversation.
 *
 * Instead of options, it takes a client of `createThreadClient()`, which several components can share.
 *
 * @example
 * ```ts no-run
 * import { useThread } from "millrace/react";
 * import { createElement as h, type ReactNode } from "react";
 *
 * export function Chat(): ReactNode {
 *   const { messages, send, stop, isBusy, error } = useThread({ api: "/api/chat", id: "1" });
 *   return h(
 *     "form",
 *     { action: (form: FormData) => send(String(form.get("text"))) },
 *     messages.map(({ id, role, text }) => h("p", { key: id, className: role }, text)),
 *     error?.message,
 *     h("input", { name: "text" }),
 *     isBusy && h("button", { type: "button", onClick: stop }, "Stop"),
 *   );
 * }
 * ```
 */
export function useThread<Structured = unknown>(
  source: ThreadClientOptions | ThreadClient<Structured>,
): StreamedThread<Structured> {
  return useSource(
    source as ThreadClientOptions,
    createThreadClient,
    keyOfThread,
    whole,
  ) as StreamedThread<Structured>;
}

function keyOfThread({ api, id }: ThreadClientOptions): string {
  return `${String(api)} ${id}`;
}

/** Subscribes to a store, or to one that it creates for options. */
function useSource<Options extends object>(
  options: Options,
  create: (current: () => Options) => ReadableStore<unknown>,
  keyOf: (options: Options) => string,
  select: (state: never) => unknown,
): unknown {
  // A store that the page has left may still send what it has begun, with its own options.
  const [store, latest] = useMemo((): [ReadableStore<unknown>, { current: Options }] => {
    const current = { current: options };
    return [isStore(options) ? options : create(() => current.current), current];
  }, [isStore(options) ? options : keyOf(options)]);
  useEffect(() => {
    latest.current = options;
  });
  const [getPart, getInitialPart] = useMemo(
    () => [selected(store.getState, select), selected(store.getInitialState, select)],
    [store, select],
  );
  return useSyncExternalStore(store.subscribe, getPart, getInitialPart);
}

/**
 * Renders a part of a value that is arriving, and renders again only when that part has changed.
 *
 * Its parent renders it again only for other properties. So a function that is created outside of the component, or
 * kept by `useCallback()`, keeps a whole tree of these still.
 *
 * @example
 * ```ts no-run
 * import { createObjectStore } from "millrace/client";
 * import { Streamed } from "millrace/react";
 * import { createElement as h, type ReactNode } from "react";
 *
 * const recipe = createObjectStore<{ title: string; steps: string[] }>({ api: "/api/recipe" });
 *
 * export function Title(): ReactNode {
 *   return h(Streamed<string>, {
 *     of: recipe.select("/title"),
 *     pending: "…",
 *     children: (title, isComplete) => h("h1", { "aria-busy": !isComplete }, title),
 *   });
 * }
 * ```
 */
export const Streamed: StreamedComponent = memo(streamed) as never;

function streamed({ of, pending, incomplete, children }: StreamedWhole<never>): ReactNode {
  const { value, isComplete }: SelectedState<unknown> = useObject(of);
  if (value === undefined) return pending;
  if (isComplete || incomplete === undefined) return children(value as never, isComplete);
  return typeof incomplete === "function" ? incomplete(value as never) : incomplete;
}

/** The type of `<Streamed>`. With `incomplete`, its child is called only with the complete value. */
export interface StreamedComponent {
  <T>(properties: StreamedWhole<T>): ReactNode;
  // Not a union: it would give the functions no types of their own.
  // eslint-disable-next-line @typescript-eslint/unified-signatures
  <T>(properties: StreamedParts<T>): ReactNode;
}

/** The properties of `<Streamed>` that shows a value from its first part on. */
export interface StreamedParts<T> {
  /** A part: `select(pointer)` of a store. */
  readonly of: SelectedStore<T>;
  /** Shown while there is no value. Default: nothing. */
  readonly pending?: ReactNode;
  readonly incomplete?: undefined;
  readonly children: (value: DeepPartial<T>, isComplete: boolean) => ReactNode;
}

/** The properties of `<Streamed>` that shows something else until the value is complete. */
export interface StreamedWhole<T> extends Omit<StreamedParts<T>, "incomplete" | "children"> {
  /** Shown from the first part of the value until it is complete, also when the stream has failed. */
  readonly incomplete: NonNullable<ReactNode> | ((value: DeepPartial<T>) => ReactNode);
  readonly children: (value: T, isComplete: boolean) => ReactNode;
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
