import { MillraceError } from "../../errors.js";

/** What came on standard input is no text. */
export class InputError extends MillraceError<"not_utf8"> {
  override readonly name = "InputError";
}
