import { attempt, type AttemptOptions, backoff } from "../stream/time/attempts.js";
import { systemClock } from "../stream/time/clock.js";
import { canonicalJson } from "../text/json-text.js";
import { hasCode, ThreadError } from "./errors.js";
import type { ThreadOptions } from "./thread.js";
import type { ThreadRecord, ThreadTurn } from "./thread-record.js";

/** The contents of a record that a turn changes. */
export type ThreadContents = Pick<ThreadRecord, "state" | "status"> & Partial<ThreadRecord>;

interface RunningThread extends ThreadContents {
  readonly turn: ThreadTurn;
}

/** A thread, as its turn saves it. */
export interface SavedThread {
  readonly record: ThreadRecord | undefined;
  save(contents: ThreadContents): Promise<void>;
  refresh(): Promise<void>;
}

/** Several processes save a running turn, so a write may meet some saves of others. */
export const besideSaves: AttemptOptions = {
  delay: (error, failed) => (hasCode(error, "conflict") && failed < 9 ? 0 : undefined),
  clock: systemClock,
  signal: new AbortController().signal,
};

/** About as long as a usual lease. */
const maxEndRetries = 5;

/** The abort reason of a turn that was stopped. */
export const stopReason: DOMException = new DOMException("The answer was stopped.", "AbortError");

/**
 * Saves a thread during a turn, one change after the other, and often enough that its lease does not end. Aborts the turn
 * if another process has changed the thread, or asks to stop.
 */
export class TurnSaves {
  /** Why the turn may not save anymore. */
  lost: ThreadError | undefined;
  private readonly thread: SavedThread;
  private readonly options: TurnSaveOptions;
  private queue: Promise<void> = Promise.resolve();
  private latest: RunningThread | undefined;
  private timer: unknown;
  private ended = false;

  constructor(thread: SavedThread, options: TurnSaveOptions) {
    this.thread = thread;
    this.options = options;
  }

  /** Whether the beginning of the turn was saved. */
  get hasSaved(): boolean {
    return this.latest !== undefined;
  }

  /** Saves a turn that continues. */
  async save(contents: RunningThread): Promise<void> {
    await this.write(() => contents);
    this.timer ??= this.beatLater();
  }

  /** Saves the end of a turn, again while the store cannot be reached: what the model has written would be lost. */
  async end(contents: ThreadContents): Promise<void> {
    const { clock } = this.options;
    const maxRetries = this.ended ? 0 : maxEndRetries;
    this.ended = true;
    clock.clearTimeout(this.timer);
    const delay = (error: unknown, failed: number): number | undefined =>
      hasCode(error, "unavailable") && failed < maxRetries ? backoff(failed, Math.random) : undefined;
    await attempt(() => this.write(() => contents), { ...besideSaves, delay, clock });
  }

  private beatLater(): unknown {
    const { clock, lease } = this.options;
    const beat = async (): Promise<void> => {
      // A store that cannot be reached may answer the next time. What is lost has aborted the turn.
      await this.write(() => (this.ended ? undefined : this.latest)).catch(() => undefined);
      if (!this.ended) this.timer = this.beatLater();
    };
    return clock.setTimeout(() => void beat(), lease / 3);
  }

  private write(contents: () => ThreadContents | undefined): Promise<void> {
    const written = this.queue.then(() => {
      const now = contents();
      return now === undefined ? undefined : this.writeNow(now);
    });
    this.queue = written.catch(() => undefined);
    return written;
  }

  private async writeNow(contents: ThreadContents): Promise<void> {
    if (this.lost !== undefined) throw this.lost;
    const { now, lease } = this.options;
    const { status, turn } = contents;
    const isRunning = status === "running" && turn !== undefined;
    const until = Math.min(now() + lease, Number.MAX_SAFE_INTEGER); // JSON has no Infinity
    const next = isRunning ? { ...contents, turn: { ...turn, until } } : contents;
    if (!this.hasSaved) await this.thread.save(next);
    else
      await attempt(async () => {
        try {
          await this.thread.save(next);
        } catch (error) {
          if (hasCode(error, "conflict") && (await this.meet(next))) return;
          throw error;
        }
      }, besideSaves);
    if (isRunning) this.latest = { ...contents, turn };
  }

  /**
   * Another process has saved the turn: it asks to stop, has renewed the lease, or has changed the thread. Resolves to
   * whether the store has the end of the turn: the reply to its save was lost.
   */
  private async meet(contents: ThreadContents): Promise<boolean> {
    await this.thread.refresh();
    const { record } = this.thread;
    if (contents.status !== "running" && record !== undefined && endText(record) === endText(contents))
      return true;
    const { id, attempt: count } = this.latest?.turn ?? {};
    if (record?.status !== "running" || record.turn?.id !== id || record.turn?.attempt !== count)
      throw this.lose();
    if (record.turn?.stop === true) this.options.controller.abort(stopReason);
    return false;
  }

  private lose(): ThreadError {
    const message = "The conversation was changed elsewhere during this answer, which ended.";
    this.lost = new ThreadError("taken_over", message);
    this.ended = true;
    this.options.controller.abort(this.lost);
    return this.lost;
  }
}

function endText({ status, state, partial }: ThreadContents): string {
  return canonicalJson({ status, state, partial });
}

interface TurnSaveOptions extends Required<Pick<ThreadOptions, "lease" | "now" | "clock">> {
  /** Aborts the turn. */
  readonly controller: AbortController;
}
