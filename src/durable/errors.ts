import { MillraceError } from "../errors.js";
import { quoted } from "../text/cut.js";

/**
 * Problems with a step:
 * - `duplicate_step`: two steps of an attempt have the same name
 * - `not_json`: the value of a step cannot be written as JSON
 * - `too_large`: the value of a step or the whole journal exceeds its limit
 *
 * Problems with the journal:
 * - `owned`: another process or another journal object owns the run
 * - `lost`: this journal owns the run no longer, or was closed
 * - `corrupt`: the file is damaged before its last line, or a record is not what this version writes
 * - `unavailable`: the file cannot be read or written; the `cause` says why
 *
 * Problems with a durable run:
 * - `changed`: the agent or the input differs from that of the attempt before
 * - `no_input`: the run has not begun, so it needs an input
 * - `stopped`: the run was stopped for good
 */
export type DurableErrorCode =
  | "duplicate_step"
  | "not_json"
  | "too_large"
  | "owned"
  | "lost"
  | "corrupt"
  | "unavailable"
  | "changed"
  | "no_input"
  | "stopped";

/** @param step the name of a step whose record is not what this version writes */
export function corruptRecord(step: string, cause?: unknown): DurableError {
  return new DurableError("corrupt", `The record of the step ${quoted(step)} is damaged.`, { cause });
}

/** A durable run or its journal failed. The recorded steps are unaffected. */
export class DurableError extends MillraceError<DurableErrorCode> {
  override readonly name: string = "DurableError";
}
