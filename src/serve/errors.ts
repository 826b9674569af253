import { MillraceError } from "../errors.js";
import type { DoneEvent, ErrorEvent } from "../json/patch/patch-entry.js";

/**
 * - `unknown_run`: the log has no run with this id, or has it no longer
 * - `expired`: the run was removed from the log while it was read
 * - `id_taken`: the log already has a run with this id
 * - `too_many_runs`: the log is full of active runs
 * - `taken_over`: another writer continues the run, so this one cannot write anymore
 * - `run_lost`: the producer of the run disappeared, or the log lost its data
 * - `log_unavailable`: the log is unreachable or closed
 */
export type ServeErrorCode =
  | "unknown_run"
  | "expired"
  | "id_taken"
  | "too_many_runs"
  | "taken_over"
  | "run_lost"
  | "log_unavailable";

/**
 * An error of serving. Clients see its code and message, which reveal nothing internal. Its `cause`, if any, is for the
 * operator.
 */
export class ServeError extends MillraceError<ServeErrorCode> {
  override readonly name: string = "ServeError";
}

/** Creates the error of a log. All logs use the same messages. */
export function logError(code: ServeErrorCode, options?: ErrorOptions): ServeError {
  return new ServeError(code, messages[code], options);
}

const messages: Readonly<Record<ServeErrorCode, string>> = {
  unknown_run: "This answer is lost or has expired. Please try again.",
  expired: "The run has expired.",
  id_taken: "A run with this id already exists.",
  too_many_runs: "Too many runs are active. Try again later.",
  taken_over: "Another writer continues the run.",
  run_lost: "The answer was interrupted on the server. Please try again.",
  log_unavailable: "The log of the run is unavailable.",
};

/** The end of a stopped run. */
export const stopped: DoneEvent = { type: "done", reason: "stopped" };

/** The end of a failed run. It contains only the code and the message of the error. */
export function errorEnd({ code, message }: { readonly code: string; readonly message: string }): ErrorEvent {
  return { type: "error", code, message };
}
