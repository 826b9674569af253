import { MillraceError } from "../../errors.js";

/**
 * - `malformed`: the patch or one of its operations is invalid
 * - `misfit`: a required place does not exist, or its value does not allow the operation
 * - `test_failed`: a `test` found a different value
 * - `refused`: the clients of a protocol cannot apply the operation, as its value is too deep or a key is not allowed
 * - `max_work`: the operations would copy, move, compare or write more than the patches and the value pay for
 */
export type JsonPatchErrorCode = "malformed" | "misfit" | "test_failed" | "refused" | "max_work";

/** @throws {JsonPatchError} `malformed` */
export function checkPatchArray(patch: unknown): void {
  if (!Array.isArray(patch)) throw new JsonPatchError("malformed", "A patch is an array of operations.", -1);
}

/** A patch is invalid or does not fit the value. The value is unchanged. */
export class JsonPatchError extends MillraceError<JsonPatchErrorCode> {
  override readonly name: string = "JsonPatchError";
  /** The index of the operation, from 0. -1 if the patch itself is invalid. */
  declare readonly index: number;

  constructor(code: JsonPatchErrorCode, problem: string, index: number) {
    super(code, index < 0 ? problem : `Operation ${index} of a patch: ${problem}`, { index });
  }
}
