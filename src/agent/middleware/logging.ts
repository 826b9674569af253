import type { AgentEvent } from "../events.js";
import { type Clock, systemClock } from "../../stream/time/clock.js";
import { checkChoice, checkOptions, type OptionNames } from "../../text/check-options.js";
import type { Middleware, ModelCall } from "./middleware.js";
import { perRun } from "./per-run.js";
import { levels, runLog, type LogLevel } from "./run-log.js";
import { observe } from "./observe.js";

/** The options of `logging()`. */
export interface LoggingOptions {
  /**
   * Called with each line, without a line break at the end. The end of the run waits for the promises that it returns.
   * If it fails, so does the run, with the `AgentError` `log_failed`.
   */
  readonly log: (line: string, level: LogLevel) => unknown;
  /** The minimum level. Default: `info`. */
  readonly level?: LogLevel;
  /**
   * Whether to log content: arguments and results of tools, answers, and error messages, which may quote them. Default:
   * false.
   */
  readonly captureContent?: boolean;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

const optionNames = {
  log: true,
  level: true,
  captureContent: true,
  clock: true,
} satisfies OptionNames<LoggingOptions>;

/**
 * Logs the events of a run, one line each. Each line begins with the name of the agent and the number of the run,
 * because several runs may be open at once. The levels:
 *
 * - `info`: start and end of the run, of model calls and of tool calls
 * - `warn`: handled errors and paused calls
 * - `error`: the error that ended the run
 * - `debug`: the first chunk of a model and the progress of tools
 *
 * Without `captureContent`, lines contain no confidential data: of errors they show the name and the code.
 *
 * @throws {TypeError} for an unknown option or level
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { logging } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const agent = createAgent({
 *   name: "greeter",
 *   model: scriptedModel(["Hello."]),
 *   middleware: [logging({ log: (line, level) => console.log(`${level} ${line}`) })],
 * });
 * await agent.invoke("Hi");
 * ```
 */
export function logging(options: LoggingOptions): Middleware {
  checkOptions("logging()", options, optionNames);
  const { log, level = "info", captureContent = false, clock = systemClock } = options;
  checkChoice("level of logging()", level, levels);
  let runs = 0;
  const logOf = perRun(() => runLog(++runs, { log, level, captureContent, clock }));
  return {
    name: "logging",
    aroundRun: (run, next) =>
      observe<AgentEvent>(
        () => next(run),
        () => logOf(run).ofRun(run),
      ),
    aroundModel: (call: ModelCall, next) =>
      observe(
        () => next(call),
        () => logOf(call.run).ofModel(call),
      ),
  };
}
