import { patched } from "../../json/patch/apply-patch.js";
import { GrowingValue } from "../../json/patch/growing-value.js";
import { measurePatch } from "../../json/patch/measure-value.js";
import { checkPatchArray } from "../../json/patch/patch-error.js";
import type { PatchPayer } from "../../json/patch/patch-work.js";
import type { AnyPatchOperation, PatchesOnly } from "../../json/patch/patch.js";
import type { DeepPartial } from "../../json/deep-partial.js";
import { type JsonValue, valueAt } from "../../json/value.js";
import { parsePointer } from "../../tree/pointer.js";
import { WorkBudget } from "../../tree/work-budget.js";
import { type ClientEvent, fromEventStream, type FromEventStreamOptions } from "../from-event-stream.js";
import { isClosed, type OpenEnd, openEndAfter } from "./open-end.js";
import { nextFrame } from "./next-frame.js";
import { initialState, type PatchState, type PatchStatus } from "./patch-state.js";
import type { ReadableStore } from "./readable-store.js";
import { SelectedPlaces } from "./selected-places.js";
import {
  onceComplete,
  type Selectable,
  type SelectedState,
  type SelectedStore,
  selectedStore,
} from "./selected-store.js";
import { callSubscriber, callSubscribers } from "./call-subscriber.js";
import { noop } from "../../stream/core/result.js";

/**
 * Applies patches and holds the current value for your UI. Values are immutable and share unchanged parts, so a
 * component can detect a change of its part with `===`. Subscribers are notified at most once per frame.
 *
 * The functions of a store work detached. It fits React (`useObject()` of `millrace/react`), Svelte (it implements
 * the store contract), Vue and Solid (docs/reference/client.md).
 *
 * @typeParam T the type of the complete value
 *
 * @example
 * ```ts
 * import { createPatchStore } from "millrace/client";
 *
 * const store = createPatchStore<{ name: string }>({ schedule: (show) => queueMicrotask(show) });
 * store.subscribe(({ value }) => console.log(value?.name));
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
  return patchStore(options, undefined, appliesAll());
}

/**
 * @param join called for each subscriber of a part; it returns a function for the end of the subscription
 * @param applyTo applies patches. Default: those that servers of this package send, without `copy`; `test` always passes
 */
export function patchStore<T>(
  { schedule = nextFrame }: PatchStoreOptions,
  join = (): (() => void) => noop,
  applyTo: ApplyTo = appliesOwn(),
): PatchStore<T> {
  const subscribers = new Set<{ readonly notify: (state: PatchState<T>) => void }>();
  let state: PatchState<T> = initialState;
  const places = new SelectedPlaces<SelectedStore<unknown>>();
  let shownEnd: OpenEnd = everything;

  // The value that has arrived. The next frame shows it. Containers in `own` were created since the last frame.
  let value: JsonValue | undefined;
  let openEnd = everything;
  let own = new WeakSet();
  let { status, error }: Pick<PatchState<T>, "status" | "error"> = state;
  let scheduled = false;
  /** A patch did not fit. Later patches are refused until one replaces the whole value. */
  let broken = false;
  let connection: AsyncIterator<readonly AnyPatchOperation[]> | undefined;

  const getState = (): PatchState<T> => state;
  const show = (): void => {
    scheduled = false;
    if (value === state.value && status === state.status && error === state.error) return;
    const before = state.value as JsonValue | undefined;
    const isSameEnd = shownEnd.pointer === openEnd.pointer && shownEnd.within === openEnd.within;
    // clear() notes no change, but opens everything.
    const isSame = isSameEnd && openEnd !== everything && status === state.status;
    const ends = isSame ? [] : [shownEnd, openEnd];
    own = new WeakSet();
    shownEnd = openEnd;
    state = { value: value as DeepPartial<T> | undefined, status, error };
    shownEnds.set(state, openEnd);
    const changed = places.takeChanged(before, value, ends);
    callSubscribers(subscribers, getState);
    for (const { watchers } of changed) for (const notify of watchers) callSubscriber(notify, undefined);
  };
  const become = (next: PatchStatus, failure?: unknown): void => {
    status = next;
    error = failure;
    show();
  };
  const clear = (): void => {
    value = undefined;
    openEnd = everything;
    broken = false;
  };
  const disconnect = (): void => {
    const previous = connection;
    connection = undefined;
    const close = async (): Promise<unknown> => previous?.return?.();
    close().catch(noop); // it may throw, or be of a stream that returns no promise
  };

  const apply = (patch: readonly AnyPatchOperation[]): void => {
    if (broken && patch[0]?.path !== "") throw error;
    try {
      value = applyTo(value, patch, own);
    } catch (failure) {
      // Own containers may be half changed, so return to the value shown last.
      broken = true;
      value = state.value as JsonValue | undefined;
      openEnd = shownEnd;
      become("error", failure);
      throw failure;
    }
    broken = false;
    for (const operation of patch) {
      openEnd = openEndAfter(operation) ?? openEnd;
      places.note(operation);
    }
    status = "streaming";
    error = undefined;
    if (scheduled) return;
    scheduled = true;
    schedule(show);
  };

  const select = (pointer: string): SelectedStore<unknown> => {
    const keys = parsePointer(pointer);
    return (places.at(keys).part ??= selectedStore(places, keys, () => partIn(state, pointer, keys), join));
  };

  const onEvent = (event: ClientEvent): void => {
    if (event.type === "retry") become("reconnecting");
    else if (event.type === "done" && event.reason === "stopped") status = "stopped";
  };

  return {
    apply,
    async connect(source, { onEvent: onEventOfCaller, keepValue = false, ...rest } = {}): Promise<void> {
      disconnect();
      if (!keepValue) clear();
      broken = false;
      let opened: typeof connection;
      try {
        const isStream = typeof source === "object" && Symbol.asyncIterator in source;
        const stream = isStream
          ? (source as AsyncIterable<readonly AnyPatchOperation[]>)
          : fromEventStream(source, {
              ...rest,
              onEvent: (event) => {
                if (connection === opened) onEvent(event);
                onEventOfCaller?.(event);
              },
            });
        opened = connection = stream[Symbol.asyncIterator]();
        become("connecting");
        for (;;) {
          const result = await opened.next();
          if (connection !== opened) return;
          if (result.done === true) break;
          apply(result.value);
        }
        connection = undefined;
        become(status === "stopped" ? status : "done");
      } catch (failure) {
        if (connection !== opened) return;
        disconnect();
        become("error", failure);
      }
    },
    getSnapshot: () => state.value,
    getState,
    getInitialState: () => initialState,
    subscribe(notify) {
      const subscriber = { notify };
      subscribers.add(subscriber);
      notify(state);
      return () => {
        subscribers.delete(subscriber);
      };
    },
    isComplete: (pointer) => isCompleteIn(state, pointer),
    select: select as Selectable<T>["select"],
    onComplete: (pointer: string, callback: (value: never) => void) =>
      onceComplete(select(pointer), callback),
    reset() {
      disconnect();
      clear();
      become("idle");
    },
    stop() {
      if (connection === undefined) return;
      disconnect();
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
 * Applies a patch to the value.
 *
 * @param own the containers that were created since the last frame
 */
type ApplyTo = (
  value: JsonValue | undefined,
  patch: readonly AnyPatchOperation[],
  own: WeakSet<object>,
) => JsonValue | undefined;

/**
 * Only insertions into long lists take more work than their text, so only they are limited. Our servers take a value back
 * with `null`.
 */
function appliesOwn(): ApplyTo {
  let room = 1e9; // elements that move by one place, which take 0.4 s
  const payer: PatchPayer = {
    shift: (moved) => ((room += 1e5 - moved) < 0 ? "it moves too many elements." : undefined),
  };
  return (value, patch, own) => patched(value, patch, own, { payer }) ?? undefined;
}

/** All operations of RFC 6902, of any server. The text pays for them. */
function appliesAll(): ApplyTo {
  const budget = new WorkBudget();
  let growing = new GrowingValue(undefined, budget);
  let frame: object | undefined;
  return (value, patch, own) => {
    checkPatchArray(patch);
    if (growing.value !== value) growing = new GrowingValue(value, budget);
    else if (frame !== own) growing.snapshot();
    frame = own;
    budget.receive(measurePatch(patch));
    growing.apply(patch);
    return growing.value;
  };
}

/** The open end of the value in each state that a store has shown. */
const shownEnds = new WeakMap<PatchState<unknown>, OpenEnd>();

/** The open end of the value when a store has shown this state. */
export function openEndIn(state: PatchState<unknown>): OpenEnd {
  return shownEnds.get(state) ?? everything;
}

function partIn(
  state: PatchState<unknown>,
  pointer: string,
  keys: readonly string[],
): SelectedState<unknown> {
  const part = valueAt(state.value as JsonValue | undefined, keys);
  const isComplete = part !== undefined && (state.status === "done" || isClosed(pointer, openEndIn(state)));
  return { value: part, isComplete };
}

/** `isComplete()` of the store when it showed this state. */
export function isCompleteIn(state: PatchState<unknown>, pointer: string): boolean {
  return partIn(state, pointer, parsePointer(pointer)).isComplete;
}

/** The options of `store.connect()`. */
export interface ConnectOptions extends FromEventStreamOptions {
  /** Whether the previous value stays until the first patch. Default: false. */
  readonly keepValue?: boolean;
}

/** The options of `createPatchStore()`. */
export interface PatchStoreOptions {
  /**
   * Calls `show` when changes should become visible. Default: the next animation frame, or a timer where there are no
   * frames, as in a page in the background.
   */
  readonly schedule?: (show: () => void) => void;
}

/** Holds a streaming value. Created by `createPatchStore()`. */
export interface PatchStore<T> extends ReadableStore<PatchState<T>>, Selectable<T> {
  /**
   * Applies a patch that arrived outside `connect()`.
   *
   * @throws {JsonPatchError} if the patch is invalid or does not fit. The store then has the status `error`, keeps the
   *   value shown last, and refuses patches until one replaces the whole value.
   */
  readonly apply: (patch: readonly AnyPatchOperation[]) => void;
  /**
   * Reads a stream until its end and leaves the previous one. The previous value disappears, unless `keepValue` is set:
   * then it stays until the first patch replaces it.
   *
   * @param source an input of `fromEventStream()`, with its options; or an async iterable of patches
   * @returns a promise that resolves when the stream has ended or failed: see `status` and `error`. Never rejects.
   */
  readonly connect: <Source extends Response | string | URL | AsyncIterable<unknown>>(
    source: Source & PatchesOnly<Source>,
    options?: ConnectOptions,
  ) => Promise<void>;
  /** The visible value. The same object until the next change. */
  readonly getSnapshot: () => DeepPartial<T> | undefined;
  /**
   * Whether the value at a JSON Pointer can no longer change. True for everything before the place where the parser
   * writes, and for the whole value once the stream is done. Valid only for values that grow at their end, as those of
   * a parser do.
   *
   * @throws {TypeError} if the text is not a JSON Pointer
   */
  readonly isComplete: (pointer: string) => boolean;
  /** Disconnects, and returns to the state before the first connection: no value, `idle`. */
  readonly reset: () => void;
  /** Disconnects. A run kept by a log continues on the server until it is stopped there. */
  readonly stop: () => void;
  readonly status: PatchStatus;
  readonly error: unknown;
}

/** Nothing is complete. */
const everything: OpenEnd = { pointer: "", within: true };
