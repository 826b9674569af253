import { MillraceError } from "../../errors.js";

/** The arguments are wrong; nothing has been read or sent. The message says how to correct them. */
export class UsageError extends MillraceError<"usage"> {
  override readonly name = "UsageError";

  constructor(message: string, options?: ErrorOptions) {
    super("usage", message, options);
  }
}
