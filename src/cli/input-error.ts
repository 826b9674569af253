import { MillraceError } from "../errors.js";

/** Standard input could not be read as text. */
export class InputError extends MillraceError<"not_utf8" | "unreadable"> {
  override readonly name = "InputError";
}
