import { type AnyPatchOperation, patched } from "../json/patch/apply-patch.js";
import type { DeepPartial } from "../json/deep-partial.js";
import type { JsonPatch } from "../json/patch/patch.js";
import { parsePointer } from "../tree/pointer.js";
import { type JsonValue, valueAt } from "../json/value.js";
import { type ClientEvent, fromEventStream, type FromEventStreamOptions } from "./from-event-stream.js";
import { isClosed, type OpenEnd, openEndAfter } from "./open-end.js";

/**
 * Keeps the value that patches make, for a page to show. Values are immutable and share what has not changed, so that a part
 * of the page can see by `===` whether its own part has. However fast patches come, subscribers hear of them once a frame.
 *
 * A store is bound to nothing: its functions work detached, and it fits React (`useStructured()` of `millrace/react`),
 * Svelte (it is a store there), Vue and Solid (docs/client.md).
 *
 * @typeParam T what the value will be when it is complete
 *
 * @example
 * ```ts
 * import { createPatchStore } from "millrace/client";
 *
 * const store = createPatchStore<{ name: string }>({ schedule: (show) => queueMicrotask(show) });
 * store.subscribe((value) => console.log(value?.name));
 * store.apply([{ op: "replace", path: "", value: { name: "A" } }]);
 * store.apply([{ op: "append", path: "/name", value: "da" }]);
 * ```
 *
 * ```text prints
 * undefined
 * Ada
 * ```
 */
export function createPatchStore<T = unknown>(options: PatchStoreOptions = {}): PatchStore<T> {
  const { schedule = nextFrame } = options;
  const subscribers = new Set<{ readonly run: (value: DeepPartial<T> | undefined) => void }>();
  let state: PatchState<T> = { value: undefined, status: "idle", error: undefined };
  let shownEnd: OpenEnd = everything;

  // What has arrived, and is shown with the next frame. The containers in `own` were made since the last one.
  let value: JsonValue | undefined;
  let openEnd = everything;
  let own = new WeakSet();
  let { status, error }: Pick<PatchState<T>, "status" | "error"> = state;
  let scheduled = false;
  /** A patch did not fit: what comes after it makes sense only from the next whole value on. */
  let broken = false;
  let connection: AsyncIterator<JsonPatch> | undefined;

  const show = (): void => {
    scheduled = false;
    if (value === state.value && status === state.status && error === state.error) return;
    own = new WeakSet();
    shownEnd = openEnd;
    state = { value: value as DeepPartial<T> | undefined, status, error };
    for (const { run } of [...subscribers]) run(state.value);
  };
  const become = (next: PatchStatus, failure?: unknown): void => {
    status = next;
    error = failure;
    show();
  };
  const leave = (): void => {
    const left = connection;
    connection = undefined;
    left?.return?.().catch(nothing);
  };

  const apply = (patch: readonly AnyPatchOperation[]): void => {
    if (broken && patch[0]?.path !== "") throw error;
    try {
      value = patched(value, patch, own);
    } catch (failure) {
      // Own containers may be half changed, so what was shown last is all that is sure.
      broken = true;
      value = state.value as JsonValue | undefined;
      openEnd = shownEnd;
      own = new WeakSet();
      become("error", failure);
      throw failure;
    }
    broken = false;
    for (const operation of patch) openEnd = openEndAfter(operation) ?? openEnd;
    status = "streaming";
    error = undefined;
    if (scheduled) return;
    scheduled = true;
    schedule(show);
  };

  const onEvent = (event: ClientEvent): void => {
    if (event.type === "retry") become("reconnecting");
    else if (event.type === "done" && event.reason === "stopped") status = "stopped";
  };

  return {
    apply,
    async connect(source, { onEvent: tell, ...rest } = {}): Promise<void> {
      leave();
      const isStream = typeof source === "object" && Symbol.asyncIterator in source;
      const stream = isStream
        ? source
        : fromEventStream(source, {
            ...rest,
            onEvent: (event) => {
              if (connection === own) onEvent(event);
              tell?.(event);
            },
          });
      const own = stream[Symbol.asyncIterator]();
      connection = own;
      broken = false;
      become("connecting");
      try {
        for (;;) {
          const result = await own.next();
          if (connection !== own) return;
          if (result.done === true) break;
          apply(result.value);
        }
        connection = undefined;
        become(status === "stopped" ? status : "done");
      } catch (failure) {
        if (connection !== own) return;
        leave();
        become("error", failure);
      }
    },
    getSnapshot: () => state.value,
    getState: () => state,
    subscribe(run) {
      const subscriber = { run };
      subscribers.add(subscriber);
      run(state.value);
      return () => {
        subscribers.delete(subscriber);
      };
    },
    isComplete: (pointer) =>
      valueAt(state.value as JsonValue | undefined, parsePointer(pointer)) !== undefined &&
      (state.status === "done" || isClosed(pointer, shownEnd)),
    stop() {
      if (connection === undefined) return;
      leave();
      become("stopped");
    },
    get status() {
      return state.status;
    },
    get error() {
      return state.error;
    },
  };
}

/**
 * - `idle`: nothing has happened yet
 * - `connecting`, `streaming`, `reconnecting`: there is more to come
 * - `done`: the value is complete
 * - `stopped`: somebody stopped it, here or there; the value is as far as it came
 * - `error`: `error` says why; the value is what was shown last
 */
export type PatchStatus = "idle" | "connecting" | "streaming" | "reconnecting" | "done" | "stopped" | "error";

/** All that is shown. Immutable; a new one with each change. */
export interface PatchState<T> {
  readonly value: DeepPartial<T> | undefined;
  readonly status: PatchStatus;
  /** A `JsonPatchError`, a `ClientError`, or what else ended the stream. */
  readonly error: unknown;
}

/** The options of `createPatchStore()`. */
export interface PatchStoreOptions {
  /** Calls back when it is time to show what has changed. By default with the next animation frame, or after 16 ms where there is none. */
  readonly schedule?: (show: () => void) => void;
}

/** A value that is being written. Made by `createPatchStore()`. */
export interface PatchStore<T> {
  /**
   * For patches that come by a way of their own.
   *
   * @throws {JsonPatchError} if it is no patch or does not fit. Then the store has the status `error`, shows what it
   *   showed last, and takes nothing before a patch that begins with the whole value.
   */
  readonly apply: (patch: readonly AnyPatchOperation[]) => void;
  /**
   * Shows a stream until its end, in place of the one before. The value stays until the first patch replaces it.
   *
   * @param source what `fromEventStream()` takes, with its options; or patches
   * @returns when the stream has ended, whichever way: `status` and `error` say how. Never rejects.
   */
  readonly connect: (
    source: Response | string | URL | AsyncIterable<JsonPatch>,
    options?: FromEventStreamOptions,
  ) => Promise<void>;
  /** The value that is shown. The same object until the next change. */
  readonly getSnapshot: () => DeepPartial<T> | undefined;
  /** The same, with the status and the error of the same moment. */
  readonly getState: () => PatchState<T>;
  /**
   * Calls `run` with the value at once and after each change, also of the status. That is Svelte's contract; who reads
   * `getSnapshot()` instead, as React does, is not harmed by the first call.
   *
   * @returns ends it
   */
  readonly subscribe: (run: (value: DeepPartial<T> | undefined) => void) => () => void;
  /**
   * Whether what is there can no longer change, by its JSON Pointer: what a parser has written before the place where it
   * writes now, and all once the stream is done. For values that grow at their end only, as those of a parser.
   *
   * @throws {TypeError} if the text is no JSON Pointer
   */
  readonly isComplete: (pointer: string) => boolean;
  /** Leaves the stream. The run itself, if a log keeps it, goes on until the server is told to stop it. */
  readonly stop: () => void;
  readonly status: PatchStatus;
  readonly error: unknown;
}

/** Nothing is complete. */
const everything: OpenEnd = { pointer: "", within: true };

function nextFrame(show: () => void): void {
  if (typeof requestAnimationFrame === "function") requestAnimationFrame(show);
  else setTimeout(show, 16);
}

function nothing(): void {}
