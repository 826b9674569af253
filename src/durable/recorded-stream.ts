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
  readonly step: (run: (attempt: number) => Promise<JsonObject>) => Promise<JsonObject>;
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
  return outlet<T>((wake) => new RecordedStream(options, wake));
}

class RecordedStream<T> implements Machine<T> {
  private readonly options: RecordedStreamOptions<T>;
  private readonly wake: () => void;
  private readonly queue = new Queue<T>();
  private inlet: Inlet<T> | undefined;
  private recording: Promise<void> | undefined;
  private over: Ending | undefined;
  /** The error that the stream itself has thrown. */
  private thrown: Ending["failure"];
  private left = false;
  private opened = false;
  /** The journal waits for the outcome. */
  private running = false;
  /** Settles when the stream has ended, for the step. */
  private readonly finished = deferred<JsonObject>();
  private removeListener: () => void = noop;

  constructor(options: RecordedStreamOptions<T>, wake: () => void) {
    this.options = options;
    this.wake = wake;
  }

  poll(): T | typeof wait | ReturnType<typeof ending> {
    this.recording ??= this.start();
    const item = this.queue.shift();
    if (item !== undefined) return item;
    if (this.over !== undefined) return ending(this.over);
    this.inlet?.pull();
    return wait;
  }

  async close(): Promise<void> {
    const { signal } = this.options;
    this.removeListener();
    if (this.over !== undefined || this.recording === undefined) return;
    this.left = true;
    const { keeps } = this;
    if (keeps) this.finished.resolve(this.outcome({}));
    else this.finished.reject(signal.reason ?? new Error("The rest of the step is no longer needed."));
    await this.inlet?.close();
    if (keeps) await this.recording;
  }

  /** Whether the step ends with the items so far when nobody needs the rest. */
  private get keeps(): boolean {
    const { signal, keepWhenLeft } = this.options;
    return keepWhenLeft && this.running && (!signal.aborted || signal.reason === cutReason);
  }

  private async start(): Promise<void> {
    const { options } = this;
    this.removeListener = onAbort(options.signal, this.onAbort);
    try {
      options.signal.throwIfAborted();
      if (options.early) this.open();
      const outcome = await options.step(async () => {
        await options.begin?.();
        options.signal.throwIfAborted();
        this.running = true;
        this.open();
        return this.finished.promise;
      });
      this.onRecorded(outcome);
    } catch (error) {
      this.left = true;
      this.inlet?.abandon(); // nobody will record what it still produces
      this.end({ error });
    }
  }

  private open(): void {
    if (this.left || this.opened) return;
    this.opened = true;
    try {
      this.inlet = new Inlet(this.options.open(), this.onItem, this.onEnd);
    } catch (error) {
      this.onEnd({ error });
    }
    this.wake();
  }

  private readonly onItem = (item: T): void => {
    this.options.note(item);
    if (this.options.waits(item)) this.inlet?.pull();
    else this.queue.push(item);
    this.wake();
  };

  private readonly onEnd = (failure: Ending["failure"]): void => {
    this.thrown = failure;
    if (this.options.signal.aborted) this.onAbort();
    else
      this.finished.resolve(
        this.outcome(failure === undefined ? {} : { error: toRecordedError(failure.error) }),
      );
  };

  private readonly onAbort = (): void => {
    const { reason } = this.options.signal as { readonly reason: unknown };
    this.inlet?.abandon();
    this.queue.clear();
    if (this.keeps) {
      this.left = true;
      this.finished.resolve(this.outcome({}));
      return; // the stream ends when the step is recorded
    }
    this.finished.reject(reason);
    this.end({ error: reason });
  };

  private outcome(end: JsonObject): JsonObject {
    return { items: [...this.options.noted()], ...end };
  }

  private onRecorded(record: JsonObject): void {
    const { name, read, waits } = this.options;
    try {
      const { items, error } = record;
      for (const item of (items as readonly JsonValue[]).map(read)) {
        if (!this.opened || waits(item)) this.queue.push(item);
      }
      this.end(this.thrown ?? (error === undefined ? undefined : { error: fromRecordedError(error) }));
    } catch (cause) {
      throw corruptRecord(name, cause);
    }
  }

  private end(failure: Ending["failure"]): void {
    this.over ??= { failure };
    this.removeListener();
    this.wake();
  }
}
