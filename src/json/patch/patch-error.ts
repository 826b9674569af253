import { MillraceError } from "../../errors.js";

/**
 * - `malformed`: it is no patch, or holds what is no operation
 * - `misfit`: the value has nothing at a place that must be there, or something that cannot take the operation
 * - `test_failed`: a `test` found another value
 */
export type JsonPatchErrorCode = "malformed" | "misfit" | "test_failed";

/** A patch is none, or does not fit the value that it is applied to. The value is as it was. */
export class JsonPatchError extends MillraceError<JsonPatchErrorCode> {
  override readonly name: string = "JsonPatchError";
  /** Which operation of the patch, from 0; -1 if the patch as a whole is none. */
  readonly index: number;

  constructor(code: JsonPatchErrorCode, problem: string, index: number) {
    super(code, index < 0 ? problem : `Operation ${index} of a patch: ${problem}`);
    this.index = index;
  }
}
