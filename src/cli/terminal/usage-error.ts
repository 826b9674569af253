import { MillraceError } from "../../errors.js";

/** The arguments are wrong; nothing has been read or sent. The message says how to correct them. */
export class UsageError extends MillraceError<"usage"> {
  override readonly name = "UsageError";

  constructor(message: string, options?: ErrorOptions) {
    super("usage", message, options);
  }
}

/** The message of an error of the library without what only a programmer can do. */
export function messageForUser({ message, advice = "" }: Pick<MillraceError, "message" | "advice">): string {
  return message.endsWith(advice) ? message.slice(0, message.length - advice.length).trimEnd() : message;
}
