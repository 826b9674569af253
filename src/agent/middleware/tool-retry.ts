import { MillraceError } from "../../errors.js";
import type { Middleware } from "./middleware.js";
import { attempts } from "./attempts.js";
import { type RetryOptions, retryRule } from "./retry-options.js";
import { isSelected, type ToolSelection } from "./tool-selection.js";

/** The options of `toolRetry()`. */
export interface ToolRetryOptions extends RetryOptions {
  /** Which tools are run again. Default: all. */
  readonly tools?: ToolSelection;
}

/**
 * Runs a tool again when it fails, also where its error would be told to the model. Only the last error is. Progress that
 * the tool has shown has been shown; in the next run it shows it again.
 *
 * By default it is run again after any error that a tool throws, and when it took too long; but not after the errors of this
 * package, which another run would only repeat: wrong arguments, a call that was rejected, a limit, and a `ToolError` that
 * the tool means for the model. Choose the `tools`: what a tool did before it failed, it may do twice.
 *
 * @throws {RangeError} if `times` is not a whole number of at least 1
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
 *     if (++runs === 1) throw new Error("The line is busy.");
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
export function toolRetry({ tools, ...options }: ToolRetryOptions = {}): Middleware {
  const { clock, delay } = retryRule(options, mayPass);
  return {
    name: "toolRetry",
    aroundTool: (run, next) =>
      !isSelected(tools, run.call)
        ? next(run)
        : attempts({
            open: () => next(run),
            failureIn: (outcome) => (outcome.type === "error" ? outcome : undefined),
            delay,
            clock,
            signal: run.run.signal,
          }),
  };
}

function mayPass(error: unknown): boolean {
  return !(error instanceof MillraceError) || error.code === "timeout";
}
