import { MillraceError } from "../../errors.js";

/** Standard input is not UTF-8 text. */
export class InputError extends MillraceError<"not_utf8"> {
  override readonly name = "InputError";
}
