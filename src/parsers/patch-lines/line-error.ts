import { MillraceError } from "../../errors.js";

/**
 * - `invalid`: the line is not JSON, not even after repairs; `cause` says where
 * - `not_an_operation`: the object on the line has no `op` or `path`, an unknown `op`, or a member twice
 * - `schema`: the schema or the catalogue does not allow the path or the value; `cause` is a `SchemaViolation`
 * - `misfit`: the operation does not fit the document, as it removes what is not there
 * - `test_failed`: a `test` found a different value
 * - `forbidden_key`: `__proto__` in a path or value
 * - `missing_parent`: the place for the value did not exist by the end of the output
 * - `max_waiting`: too many operations wait for their parents, or the place of one was looked for too often
 * - `max_depth`, `max_length`: the path or the line exceeds a bound
 * - `max_work`: copies, moves, tests and insertions take more work than the text pays for
 * - `max_operations`: the output has too many operations. It ends the stream
 */
export type PatchLineErrorCode =
  | "invalid"
  | "not_an_operation"
  | "schema"
  | "misfit"
  | "test_failed"
  | "forbidden_key"
  | "missing_parent"
  | "max_waiting"
  | "max_depth"
  | "max_length"
  | "max_work"
  | "max_operations";

/** Repairs of operations, in addition to those of JSON: see `PatchLineRepair`. */
export type OperationRepairKind = "path" | "missing_brace" | "missing_target" | "missing_version";

/** Where an operation begins. */
export interface LinePlace {
  /** The offset in the whole text, in UTF-16 code units from 0. It does not depend on the chunks. */
  readonly offset: number;
  /** The number of the operation in the text, from 1. */
  readonly operation: number;
}

/** An operation of a model was not applied. What it had shown is taken back. */
export class PatchLineError extends MillraceError<PatchLineErrorCode> implements LinePlace {
  override readonly name: string = "PatchLineError";
  declare readonly offset: number;
  declare readonly operation: number;
  /** The operation's `path`, if it was read. */
  declare readonly path: string | undefined;

  constructor(code: PatchLineErrorCode, problem: string, details: LinePlace & LineErrorDetails) {
    super(code, `Operation ${details.operation}, at offset ${details.offset}: ${problem}`, details);
  }
}

interface LineErrorDetails {
  readonly path?: string | undefined;
  readonly cause?: unknown;
}

/** A problem of an operation, before its line is known. */
export class OperationProblem extends Error {
  readonly code: PatchLineErrorCode;

  constructor(code: PatchLineErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
