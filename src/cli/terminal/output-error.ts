import { MillraceError } from "../../errors.js";

/** Standard output cannot be written, and not because its reader has gone: the disk is full, for example. */
export class OutputError extends MillraceError<"unwritable"> {
  override readonly name = "OutputError";

  constructor(cause: Error) {
    super("unwritable", `The output cannot be written: ${cause.message}.`, { cause });
  }
}
