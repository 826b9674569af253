import type { AgentEvent } from "../events.js";
import { type Clock, systemClock } from "../../stream/time/clock.js";
import type { Middleware, ModelCall } from "./middleware.js";
import { keptPerRun } from "./kept-per-run.js";
import { RunLog, type LogLevel } from "./run-log.js";
import { watched } from "./watched.js";

/** The options of `logging()`. */
export interface LoggingOptions {
  /** Gets each line, without an end of line. */
  readonly log: (line: string, level: LogLevel) => void;
  /** The least level that is logged. Default: `info`. */
  readonly level?: LogLevel;
  /**
   * Whether lines may show what was said: arguments and results of tools, answers, and the messages of errors, which may
   * quote them. Default: false.
   */
  readonly content?: boolean;
  /** The machine's clock, by default. */
  readonly clock?: Clock;
}

/**
 * Logs what happens in a run, in one line each: at `info` the run, the calls of the model and of tools, and how they ended;
 * at `warn` what went wrong and goes on, and what pauses; at `error` what ended the run; at `debug` the first chunk and the
 * progress of tools. Each line begins with the agent's name and the number of the run, as runs may be under way at once.
 *
 * Nothing confidential is in them, unless `content` is asked for: of an error, its name and code.
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
export function logging({
  log,
  level = "info",
  content = false,
  clock = systemClock,
}: LoggingOptions): Middleware {
  let runs = 0;
  const logOf = keptPerRun(() => new RunLog(++runs, { log, level, content, clock }));
  return {
    name: "logging",
    aroundRun: (run, next) =>
      watched<AgentEvent>(
        () => next(run),
        () => logOf(run).ofRun(run),
      ),
    aroundModel: (call: ModelCall, next) =>
      watched(
        () => next(call),
        () => logOf(call.run).ofModel(call),
      ),
  };
}
