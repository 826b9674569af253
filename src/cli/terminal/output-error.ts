import { MillraceError } from "../../errors.js";

/** Writing to standard output failed for a reason other than a closed pipe, such as a full disk. */
export class OutputError extends MillraceError<"unwritable"> {
  override readonly name = "OutputError";

  constructor(cause: Error) {
    super("unwritable", `The output cannot be written: ${cause.message}.`, { cause });
  }
}
