import { MillraceError } from "../errors.js";

/**
 * - `unknown_run`: the log has no run of this id, or no longer
 * - `expired`: the run was taken out of the log while it was read
 * - `id_taken`: the log has a run of this id already
 * - `too_many_runs`: the log is full of runs that go on
 */
export type ServeErrorCode = "unknown_run" | "expired" | "id_taken" | "too_many_runs";

/** What the wire itself refuses. Its code and its message are shown to the client: they tell nothing of the inside. */
export class ServeError extends MillraceError<ServeErrorCode> {
  override readonly name: string = "ServeError";
}
