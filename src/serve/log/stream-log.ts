import type { PatchEnd, PatchEntry } from "../../json/patch/patch-entry.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";

/**
 * Keeps the patches of runs, so that a run is produced once and can be read by many, from any event. `memoryLog()` is
 * for a single process, `redisLog()` of `millrace/redis` for many machines.
 *
 * A log guarantees: each id has at most one run at a time. A reader receives either exactly the events after the one it
 * names, or a patch that replaces the root with the whole value, and all events after that. Its state is never wrong.
 */
export interface StreamLog {
  /**
   * Starts a run.
   *
   * @throws {ServeError} `id_taken`, `too_many_runs`
   */
  create(id: string): Promise<LogWriter>;
  /**
   * Continues a run whose writer may have died, or starts it if the log has none with this id. Readers and the ids of
   * events continue. The writer before can write nothing more: its next `append` rejects with `taken_over`, and its
   * `signal` is aborted. When the writer of such a run dies, the log does not end the run: readers wait for the next
   * writer.
   *
   * @throws {ServeError} `too_many_runs`
   */
  takeOver(id: string): Promise<NextLogWriter>;
  /**
   * Yields the events of a run, past and future, until its end.
   *
   * @param after the id of the reader's last event. If it is missing, invalid, of another run, in the future or no
   *   longer kept, the reader first receives the whole value.
   * @throws {ServeError} `unknown_run`, at the first pull
   */
  read(id: string, after?: string): AsyncIterable<PatchEntry>;
  /** Says whether a run is active, and how it ended if it is not. */
  status(id: string): Promise<RunStatus>;
  /** Stops a run: closes its source and sends `done` with `stopped` to readers. Returns false if it is not active. */
  stop(id: string): Promise<boolean>;
  /** Removes a run immediately and stops it if it is active. Returns false if it does not exist. */
  expire(id: string): Promise<boolean>;
}

/** `unknown`: the log has no such run, or has it no longer. `failed`: it ended with an error, or its writer is lost. */
export type RunStatus = "active" | "complete" | "stopped" | "failed" | "unknown";

/** The status of a run with this end. */
export function runStatus(end: PatchEnd | undefined): RunStatus {
  if (end === undefined) return "active";
  return end.type === "error" ? "failed" : end.reason;
}

/** Continues a run. */
export interface NextLogWriter extends LogWriter {
  /** The value of the run so far; `undefined` if no patch has produced one. */
  readonly value: JsonValue | undefined;
  /** How the run ended, if it has. Nothing more can be written. */
  readonly ended: PatchEnd | undefined;
  /** Stops writing, because this attempt has ended. If the run has not ended, it waits for its next writer. */
  leave?(): void;
}

/** Writes a run. */
export interface LogWriter {
  /** The id of the position before the first event: `read(id, origin)` yields the whole run. */
  readonly origin: string;
  /** Aborted when the run must stop. */
  readonly signal: AbortSignal;
  append(patch: readonly AnyPatchOperation[]): Promise<void>;
  /** Ends the run. Must be the last call. The run expires some time later. */
  end(end: PatchEnd): Promise<void>;
}
