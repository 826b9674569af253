import { MillraceError } from "../errors.js";
import type { DoneEvent, ErrorEvent } from "../json/patch/patch-entry.js";

/**
 * - `unknown_run`: the log has no run of this id, or no longer
 * - `expired`: the run was taken out of the log while it was read
 * - `id_taken`: the log has a run of this id already
 * - `too_many_runs`: the log is full of runs that go on
 * - `run_lost`: the producer of the run has gone without an end, or the log has lost what it kept of it
 * - `log_unavailable`: the log cannot be reached, or was closed
 */
export type ServeErrorCode =
  "unknown_run" | "expired" | "id_taken" | "too_many_runs" | "run_lost" | "log_unavailable";

/**
 * What the wire itself refuses. Its code and its message are shown to the client: they tell nothing of the inside. Its
 * `cause`, if there is one, is for the operator.
 */
export class ServeError extends MillraceError<ServeErrorCode> {
  override readonly name: string = "ServeError";
}

/** The error of a log, which says the same of every log. */
export function logError(code: ServeErrorCode, options?: ErrorOptions): ServeError {
  return new ServeError(code, messages[code], options);
}

const messages: Readonly<Record<ServeErrorCode, string>> = {
  unknown_run: "There is no such run, or no longer.",
  expired: "The run has expired.",
  id_taken: "There is a run of this id already.",
  too_many_runs: "Too many runs go on. Try reconnected later.",
  run_lost: "The run was lost before its end.",
  log_unavailable: "The log of the run cannot be reached.",
};

/** The end of a stopped run. */
export const stopped: DoneEvent = { type: "done", reason: "stopped" };

/** The end of a failed run. It contains only the code and the message of the error. */
export function errorEnd({ code, message }: { readonly code: string; readonly message: string }): ErrorEvent {
  return { type: "error", code, message };
}
