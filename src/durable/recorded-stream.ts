import { cutReason } from "../agent/loop/run.js";
import type { JsonObject, JsonValue } from "../json/value.js";
import { Inlet } from "../stream/core/inlet.js";
import { type Ending, ending, type Machine, outlet, wait } from "../stream/core/outlet.js";
import { Queue } from "../stream/core/queue.js";
import { deferred, noop } from "../stream/core/result.js";
import { onAbort } from "../stream/time/on-abort.js";
import { corruptRecord } from "./errors.js";
import { fromRecordedError, toRecordedError } from "./recorded-error.js";

/** A stream that is a step of a journal. */
export interface RecordedStreamOptions<T> {
  /** The name of the step. */
  readonly name: string;
  /** Opens the stream itself. Not called if the step is recorded. */
  readonly open: () => AsyncIterable<T>;
  /** Creates the step, when it may be created. */
  readonly step: (
    run: (attempt: number) => Promise<JsonObject>,
    instead: (error: unknown) => JsonObject,
  ) => Promise<JsonObject>;
  /** Starts the stream at once instead of when the step runs. */
  readonly early: boolean;
  /** Called when the step runs, before the stream is opened. */
  readonly begin?: () => Promise<void>;
  /** Notes an item for the record. */
  readonly note: (item: T) => void;
  /** The noted items as JSON. */
  readonly noted: () => readonly JsonValue[];
  /** Reads an item of the record. May throw anything. */
  readonly read: (json: JsonValue) => T;
  /** Whether an item is passed on only when it is recorded. It must be the last one. */
  readonly waits: (item: T) => boolean;
  /** Whether the step ends with the items so far if its consumer leaves, or `stopWhen()` aborts. Otherwise it is not recorded. */
  readonly keepWhenLeft: boolean;
  readonly signal: AbortSignal;
}

/**
 * Makes a step of a stream. Items are passed on as they arrive, and the stream ends when the step is recorded. A
 * recorded step yields what was noted, and throws again what was thrown.
 *
 * If the run is aborted, the step is not recorded.
 */
export function recordedStream<T>(options: RecordedStreamOptions<T>): AsyncIterable<T> {
  return outlet<T>((wake) => streamMachine(options, wake));
}

function streamMachine<T>(options: RecordedStreamOptions<T>, wake: () => void): Machine<T> {
  const { signal, waits } = options;
  const queue = new Queue<T>();
  let inlet: Inlet<T> | undefined;
  let recording: Promise<void> | undefined;
  let over: Ending | undefined;
  /** The error that the stream itself has thrown. */
  let thrown: Ending["failure"];
  let left = false;
  let opened = false;
  /** The journal waits for the outcome. */
  let running = false;
  /** Settles when the stream has ended, for the step. */
  const finished = deferred<JsonObject>();
  let removeListener = noop;

  /** Whether the step ends with the items so far when nobody needs the rest. */
  const keeps = (): boolean =>
    options.keepWhenLeft && running && (!signal.aborted || signal.reason === cutReason);
  const outcome = (end: JsonObject): JsonObject => ({ items: [...options.noted()], ...end });
  const end = (failure: Ending["failure"]): void => {
    over ??= { failure };
    removeListener();
    wake();
  };
  const abort = (): void => {
    const { reason } = signal as { readonly reason: unknown };
    inlet?.abandon();
    queue.clear();
    if (keeps()) {
      left = true;
      finished.resolve(outcome({}));
      return; // the stream ends when the step is recorded
    }
    finished.reject(reason);
    end({ error: reason });
  };
  const onItem = (item: T): void => {
    options.note(item);
    if (waits(item)) inlet?.pull();
    else queue.push(item);
    wake();
  };
  const onEnd = (failure: Ending["failure"]): void => {
    thrown = failure;
    if (signal.aborted) abort();
    else finished.resolve(outcome(failure === undefined ? {} : { error: toRecordedError(failure.error) }));
  };
  const open = (): void => {
    if (left || opened) return;
    opened = true;
    try {
      inlet = new Inlet(options.open(), onItem, onEnd);
    } catch (error) {
      onEnd({ error });
    }
    wake();
  };
  const onRecorded = (record: JsonObject): void => {
    try {
      const { items, error } = record;
      for (const item of (items as readonly JsonValue[]).map(options.read)) {
        if (!opened || waits(item)) queue.push(item);
      }
      end(thrown ?? (error === undefined ? undefined : { error: fromRecordedError(error) }));
    } catch (cause) {
      throw corruptRecord(options.name, cause);
    }
  };
  const start = async (): Promise<void> => {
    removeListener = onAbort(signal, abort);
    try {
      signal.throwIfAborted();
      if (options.early) open();
      const work = async (): Promise<JsonObject> => {
        await options.begin?.();
        signal.throwIfAborted();
        running = true;
        open();
        return finished.promise;
      };
      // Each attempt would repeat a call whose result has no record. So its record is a failure.
      const recorded = await options.step(work, (error) => ({ items: [], error: toRecordedError(error) }));
      onRecorded(recorded);
    } catch (error) {
      left = true;
      inlet?.abandon(); // nobody will record what it still produces
      end({ error });
    }
  };

  return {
    poll() {
      recording ??= start();
      const item = queue.shift();
      if (item !== undefined) return item;
      if (over !== undefined) return ending(over);
      inlet?.pull();
      return wait;
    },
    async close() {
      removeListener();
      if (over !== undefined || recording === undefined) return;
      left = true;
      const kept = keeps();
      if (kept) finished.resolve(outcome({}));
      else finished.reject(signal.reason ?? new Error("The rest of the step is no longer needed."));
      await inlet?.close();
      if (kept) await recording;
    },
  };
}
