import { noop } from "../../stream/core/result.js";
import { ClientError } from "../errors.js";
import { storedId } from "./stored-id.js";
import { progressOf } from "./object-progress.js";
import type { ObjectStoreOptions, SchemaType } from "./object-store-options.js";
import { nextFrame } from "../store/next-frame.js";
import { type ConnectOptions, createPatchStore, isCompleteIn } from "../store/patch-store.js";
import type { PatchStatus } from "../store/patch-state.js";
import { onceComplete, type Selectable, type SelectedStore } from "../store/selected-store.js";
import { refusalOf, unreachable } from "../response-events.js";
import { systemClock } from "../../stream/time/clock.js";
import { callSubscriber } from "../store/call-subscriber.js";
import { answerTo, createRun, markSent, type Run } from "./run.js";
import { createId, nameOf, runUrl } from "./run-url.js";
import type { ObjectActions, ObjectStore, StreamedObject } from "./streamed-object.js";

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
  const { schedule = nextFrame, remember = "session" } = current();
  const stored = storedId(remember, nameOf(current()));
  const subscribers = new Set<{ readonly notify: (state: StreamedObject<T>) => void }>();
  /** Subscribers, also those of parts. */
  let present = 0;
  let run: Run | undefined;

  const fetchNow = async (url: string | URL, init: RequestInit): Promise<Response> =>
    (current().fetch ?? fetch)(url, init);

  /** Reads the run, and starts it if there is a body. */
  const read = async (own: Run, more: Pick<ConnectOptions, "body" | "keepValue">): Promise<void> => {
    run = own;
    let answered = noop;
    try {
      const { onEvent, maxRetries, ...rest } = current();
      await patches.connect(runUrl(rest.api, own.id), {
        ...rest,
        ...more,
        ...(remember === false ? { maxRetries: 0 } : maxRetries !== undefined && { maxRetries }),
        onEvent: (event) => {
          if (event.type === "open") own.isOpen = true;
          onEvent?.(event);
        },
        fetch: async (url, { signal, ...init }) => {
          // Not aborted: the server may start the run in any case, and it can be stopped only after that.
          if (init.method === "POST") return fetchNow(url, init).finally((answered = markSent(own.id)));
          await answerTo(own.id);
          return fetchNow(url, { ...init, ...(signal && { signal }) });
        },
      });
    } catch (error) {
      await patches.connect(failing(error)); // the options or the URL could not be made
    }
    // A request that was only left may still be answered.
    if (run === own && patches.status === "error") answered();
    // After a reload the run may be gone, which concerns nobody. An id in the URL is a link that somebody followed.
    if (run === own && own.isResumed && remember === "session" && isGone(patches.error)) actions.clear();
  };

  /** Whether a run may still be active on the server. */
  const continues = ({ isOpen, isLeft }: Run): boolean => {
    const { status, error } = patches;
    if (status !== "error") return isLeft || isActive(status);
    // The answer to a request may be lost, though the server has started the run.
    return !(error instanceof ClientError) || error.code === "cut" || (error.code !== "run" && isOpen);
  };

  /** Stops a run on the server, as soon as it has answered the request that started it. */
  const end = (own: Run): void => {
    const send = async (): Promise<void> => {
      const { api, headers = {}, clock = systemClock, onEvent = noop } = current();
      try {
        await answerTo(own.id);
        const request = { method: "DELETE", headers, keepalive: true };
        const response = await fetchNow(runUrl(api, own.id), request).catch(unreachable);
        if (!response.ok) throw await refusalOf(response, clock);
      } catch (error) {
        if (!isGone(error)) callSubscriber(onEvent, { type: "stop_failed", error: inWords(error) });
      }
    };
    if (remember !== false) send().catch(noop); // the options could not be made
  };

  const actions: ObjectActions = {
    submit(input = null) {
      const body = JSON.stringify(input) ?? "null"; // a function has no JSON
      if (present > 0) stored.claim();
      if (run !== undefined && continues(run)) end(run);
      const own = createRun(createId());
      stored.write(own.id);
      void read(own, { body });
    },
    stop() {
      if (run === undefined || !continues(run)) return;
      run.isLeft = false;
      patches.stop();
      end(run);
    },
    clear() {
      if (run !== undefined && continues(run)) end(run);
      run = undefined;
      stored.write(undefined);
      patches.reset();
    },
  };

  // Everything is shown by frames: patches that arrive, and what becomes of the run.
  let showPatches: () => void = noop;
  let isScheduled = false;
  const show = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    schedule(() => {
      showPatches();
      isScheduled = false;
      showPatches = noop;
      const next = stateOf();
      if (next === state) return;
      state = next;
      for (const { notify } of [...subscribers]) callSubscriber(notify, state);
    });
  };
  const patches = createPatchStore<T>({
    schedule: (showNow) => {
      showPatches = showNow;
      show();
    },
  });
  const initialState: StreamedObject<T> = {
    ...actions,
    object: undefined,
    status: "idle",
    isBusy: false,
    error: undefined,
    progress: progressOf(undefined, () => false),
  };
  let shown = patches.getState();
  let state = initialState;
  const stateOf = (): StreamedObject<T> => {
    const now = patches.getState();
    if (now === shown) return state;
    shown = now;
    const { value, status, error } = now;
    return {
      ...actions,
      object: value,
      status,
      isBusy: isActive(status),
      error: error === undefined ? undefined : inWords(error),
      progress: progressOf(value, (pointer) => isCompleteIn(now, pointer)),
    };
  };
  patches.subscribe(() => {
    if (patches.getState() !== shown) show();
  });

  /** The first subscriber has come: resumes the run of this page, or of the page before a reload. */
  const enter = (): void => {
    stored.claim();
    if (run?.isLeft === true) {
      run.isLeft = false;
      void read(run, { keepValue: true });
    } else if (run === undefined) {
      const id = stored.read();
      if (id !== undefined) void read({ ...createRun(id), isResumed: true }, {});
    }
  };
  /** The last subscriber has left. Without a place for its id the run cannot be resumed. */
  const leave = (): void => {
    if (run === undefined || !isActive(patches.status)) return;
    run.isLeft = remember !== false;
    patches.stop();
  };

  /** Counts a subscriber. Returns a function for the end of its subscription. */
  const join = (): (() => void) => {
    if (present++ === 0) enter();
    let isPresent = true;
    return () => {
      if (!isPresent) return;
      isPresent = false;
      if (--present > 0) return;
      stored.release();
      // A framework may subscribe again at once, as React does in StrictMode.
      queueMicrotask(() => {
        if (present === 0) leave();
      });
    };
  };

  /** The parts of the store of patches, whose subscribers are also subscribers of this store. */
  const parts = new WeakMap<SelectedStore<unknown>, SelectedStore<unknown>>();
  const select = (pointer: string): SelectedStore<unknown> => {
    const own = patches.select(pointer as never) as SelectedStore<unknown>;
    const part = parts.get(own) ?? {
      ...own,
      subscribe: (notify) => {
        const leaveStore = join();
        const unsubscribe = own.subscribe(notify);
        return () => {
          unsubscribe();
          leaveStore();
        };
      },
    };
    parts.set(own, part);
    return part;
  };

  return {
    ...actions,
    getState: () => state,
    getInitialState: () => initialState,
    subscribe(notify) {
      const subscriber = { notify };
      subscribers.add(subscriber);
      const leaveStore = join();
      notify(state);
      return () => {
        subscribers.delete(subscriber);
        leaveStore();
      };
    },
    select: select as Selectable<T>["select"],
    onComplete: (pointer: string, callback: (value: never) => void) =>
      onceComplete(select(pointer), callback),
  };
}

/** A stream that fails at once. */
function failing(error: unknown): AsyncIterable<never> {
  return {
    [Symbol.asyncIterator]() {
      throw error;
    },
  };
}

function isActive(status: PatchStatus): boolean {
  return status === "connecting" || status === "streaming" || status === "reconnecting";
}

/** A store that components share, or a new one. */
export function toObjectStore(
  source: ObjectStore<unknown> | ObjectStoreOptions | (() => ObjectStoreOptions),
): ObjectStore<unknown> {
  return "subscribe" in source ? source : createObjectStore(source);
}

/** Whether the server has no run of this id, or does not keep runs. */
function isGone(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false;
  const { reason, status } = error;
  return reason === "unknown_run" || status === 404 || status === 405 || status === 410;
}

/** Replaces errors whose message is for developers. */
function inWords(error: unknown): ClientError {
  if (error instanceof ClientError && error.code !== "protocol") return error;
  return new ClientError("protocol", "The server sent an unexpected answer. Please try again later.", {
    cause: error,
  });
}
