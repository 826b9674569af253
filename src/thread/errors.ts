import { MillraceError } from "../errors.js";
import { isInstance } from "../text/thrown.js";

/**
 * Problems of a turn:
 * - `conflict`: somebody else has changed the thread since it was loaded, such as another tab; `refresh()` loads it again
 * - `busy`: a turn of the thread is running, perhaps in another process
 * - `taken_over`: another process has changed the thread during this turn, so this turn ended and saved nothing more
 * - `no_turn`: there is nothing to resume, or no call to decide
 * - `invalid_fork`: the place to fork at is not in the thread, or is between a tool call and its result
 *
 * Problems of a store:
 * - `invalid_id`: an id is not 1 to 200 letters, digits, `-`, `_`, `.` or `~`
 * - `not_json`: the thread cannot be written as JSON
 * - `too_large`: the thread is larger than `maxSize`
 * - `too_many_threads`: the owner has the maximum number of threads
 * - `corrupt`: what the store has is not a thread
 * - `unavailable`: the store cannot be read or written; the `cause` says why
 */
export type ThreadErrorCode =
  | "conflict"
  | "busy"
  | "taken_over"
  | "no_turn"
  | "invalid_fork"
  | "invalid_id"
  | "not_json"
  | "too_large"
  | "too_many_threads"
  | "corrupt"
  | "unavailable";

/** An operation on a thread failed. What the store has is unchanged. The message may be shown to the user of an app. */
export class ThreadError extends MillraceError<ThreadErrorCode> {
  override readonly name: string = "ThreadError";
}

/** @param cause the error of the driver or the file system */
export function unavailable(cause: unknown): ThreadError {
  return new ThreadError("unavailable", "The conversation cannot be loaded or saved at the moment.", {
    cause,
  });
}

export function hasCode(error: unknown, code: ThreadErrorCode): boolean {
  return isInstance(error, ThreadError) && error.code === code;
}
