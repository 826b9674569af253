import type { PatchEnd, PatchEntry } from "../../json/patch/patch-entry.js";
import type { JsonPatch } from "../../json/patch/patch.js";

/**
 * Keeps the patches of runs, so that a run is produced once and read by anybody, from any event on. `memoryLog()` is one
 * for a single process, `redisLog()` of `millrace/redis` one for many machines.
 *
 * What a log promises: of one id there is one run at a time. A reader gets either exactly the events after the one that it
 * names, or a patch that puts the whole value in place of the root, and all after that. So it never has a wrong state.
 */
export interface StreamLog {
  /**
   * Begins the run of an id.
   *
   * @throws {ServeError} `id_taken`, `too_many_runs`
   */
  create(id: string): Promise<LogWriter>;
  /**
   * What happens in a run, past and to come, until its end.
   *
   * @param after the id of the last event that the reader has. Of one that is not of this run, lies in the future, is too
   *   long ago or is none at all, it goes on with the whole value.
   * @throws {ServeError} `unknown_run`, with the first item
   */
  read(id: string, after?: string): AsyncIterable<PatchEntry>;
  /** Stops a run: its source is closed, and its readers get `done`, `stopped`. False if it does not go on any more. */
  stop(id: string): Promise<boolean>;
  /** Lets go of a run at once, and stops it if it still goes on. False if there was none. */
  expire(id: string): Promise<boolean>;
}

/** The producer's side of a run. */
export interface LogWriter {
  /** Names the place before the first event, for `read()`: who reads after it gets the run from its beginning. */
  readonly origin: string;
  /** Aborted when the run is to stop. */
  readonly signal: AbortSignal;
  append(patch: JsonPatch): Promise<void>;
  /** The last call. The run expires some time after it. */
  end(end: PatchEnd): Promise<void>;
}
