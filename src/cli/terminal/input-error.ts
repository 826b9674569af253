import { MillraceError } from "../../errors.js";

export type InputErrorCode = "not_utf8" | "not_csv" | "database" | "too_large";

/** An input is not UTF-8 text or not CSV, has a number that cannot be written as JSON, or its database failed. */
export class InputError extends MillraceError<InputErrorCode> {
  override readonly name = "InputError";
}
