import { MillraceError } from "../../errors.js";
import type { Middleware } from "./middleware.js";
import { retryNames, type RetryOptions, retryRule, runAttempts } from "./retry.js";
import { checkSelection, isSelected, type ToolSelection } from "./tool-selection.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { isInstance } from "../../text/thrown.js";

/** The options of `toolRetry()`. */
export interface ToolRetryOptions extends RetryOptions {
  /** The calls to retry. Default: all. */
  readonly tools?: ToolSelection;
}

/**
 * Runs a tool again when it fails, even if its `onError` would send the error to the model. The model gets only the
 * last error. Progress is not retracted: each attempt reports it again.
 *
 * By default, it retries every error that a tool throws, and timeouts. It does not retry other errors of this package,
 * because another run would fail in the same way: invalid arguments, a rejected call, a limit, or a `ToolError` that
 * the tool throws for the model. A tool that fails halfway may have had side effects, so select the `tools` that are
 * safe to run twice.
 *
 * @throws {RangeError} if `maxRetries` is not a whole number of at least 1
 * @throws {TypeError} for an unknown option, or tools that are no names
 *
 * @example
 * ```ts
 * import { createAgent, tool } from "millrace";
 * import { toolRetry } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * let runs = 0;
 * const flaky = tool({
 *   name: "flaky",
 *   run: () => {
 *     if (++runs === 1) throw new Error("The server is busy.");
 *     return "done";
 *   },
 * });
 * const call = { content: [{ type: "tool_call" as const, id: "1", name: "flaky", args: { input: "" } }] };
 * const agent = createAgent({
 *   model: scriptedModel(({ index }) => (index === 0 ? [call] : ["It is done."])),
 *   tools: [flaky],
 *   middleware: [toolRetry({ tools: ["flaky"] })],
 * });
 * await agent.invoke("Do it.");
 * console.log(runs); // 2
 * ```
 */
export function toolRetry(options: ToolRetryOptions = {}): Middleware {
  checkOptions("toolRetry()", options, {
    ...retryNames,
    tools: true,
  } satisfies OptionNames<ToolRetryOptions>);
  const { tools } = options;
  checkSelection("tools of toolRetry()", tools);
  const { clock, delay } = retryRule(options, isTransient);
  return {
    name: "toolRetry",
    aroundTool(toolRun, next) {
      if (!isSelected(tools, toolRun)) return next(toolRun);
      let hasResult = false;
      return runAttempts({
        open: () => next(toolRun),
        failureIn(outcome) {
          hasResult ||= outcome.type === "result";
          return outcome.type === "error" ? outcome : undefined;
        },
        // What fails after a result is not the tool.
        delay: (error, failed) => (hasResult ? undefined : delay(error, failed)),
        clock,
        signal: toolRun.run.signal,
        journal: toolRun.journal,
      });
    },
  };
}

function isTransient(error: unknown): boolean {
  return !isInstance(error, MillraceError) || error.code === "timeout";
}
