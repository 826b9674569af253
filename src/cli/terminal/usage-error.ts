import { MillraceError } from "../../errors.js";

/** The command was called wrongly: nothing has been read or sent yet. The message says what would be right. */
export class UsageError extends MillraceError<"usage"> {
  override readonly name = "UsageError";

  constructor(message: string, options?: ErrorOptions) {
    super("usage", message, options);
  }
}
