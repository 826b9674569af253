import type { ExitCode } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";

/** One word after `millrace`. */
export interface Command {
  /** What `millrace <name> --help` prints, without the exit codes, which all commands share. */
  readonly help: string;
  /**
   * Carries the command out. What it throws is reported by {@link millrace} with the exit code of its kind.
   *
   * @param argv what follows the name of the command
   */
  run(argv: readonly string[], io: Io): Promise<ExitCode>;
}
