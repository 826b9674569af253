import { MillraceError } from "../../errors.js";

export type InputErrorCode = "not_utf8" | "not_csv" | "database";

/** An input as a whole cannot be read: it is not UTF-8 text or not CSV, or its database failed. */
export class InputError extends MillraceError<InputErrorCode> {
  override readonly name = "InputError";
}
