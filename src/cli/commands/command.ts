import type { ExitCode } from "../terminal/exit-codes.js";
import type { Help } from "../terminal/help.js";
import type { Io } from "../terminal/io.js";

/** A subcommand such as `millrace json`. */
export interface Command {
  /** Shown by `millrace <name> --help`. */
  readonly help: Help;
  /**
   * Runs the command. {@link millrace} reports an error that it throws and maps it to an exit code.
   *
   * @param argv the arguments after the command's name
   */
  run(argv: readonly string[], io: Io): Promise<ExitCode>;
}
