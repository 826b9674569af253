import { wholeNumber } from "../../text/check-number.js";
import { checkChoice, checkOptions, type OptionNames } from "../../text/check-options.js";
import { AgentError } from "../errors.js";
import type { Middleware } from "./middleware.js";
import { perRun } from "./per-run.js";
import { refuseCall } from "../call-answers.js";
import { checkSelection, isSelected, type ToolSelection } from "./tool-selection.js";

/** The options of `toolCallLimit()`. */
export interface ToolCallLimitOptions {
  /** The calls to count. They share one limit. Default: all. */
  readonly tools?: ToolSelection;
  /** The maximum number of tool calls in a run. */
  readonly maxPerRun: number;
  /**
   * The reaction to a call over the limit. The tool does not run in any case.
   *
   * - `continue`: the model gets a message about the limit, and the run continues;
   * - `end`: the model's call is answered with this message, and the run ends after the step (`finish` with the reason
   *   `ended`);
   * - `error`: the run fails with an `AgentError` of the code `limit`.
   *
   * Default: `continue`.
   */
  readonly onLimit?: "continue" | "end" | "error";
}

const optionNames = {
  tools: true,
  maxPerRun: true,
  onLimit: true,
} satisfies OptionNames<ToolCallLimitOptions>;

/**
 * Limits the number of tool calls in a run. A resumed run starts counting at 0.
 *
 * @throws {RangeError} if `maxPerRun` is not a whole number of at least 0
 * @throws {TypeError} for an unknown option or reaction, or tools that are no names
 *
 * @example
 * ```ts
 * import { createAgent, textOf, tool } from "millrace";
 * import { toolCallLimit } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const call = (id: string) => ({ type: "tool_call" as const, id, name: "search", args: { input: "mill" } });
 * const agent = createAgent({
 *   model: scriptedModel(({ index }) => (index === 0 ? [{ content: [call("1"), call("2")] }] : ["Done."])),
 *   tools: [tool({ name: "search", run: () => "found" })],
 *   middleware: [toolCallLimit({ tools: ["search"], maxPerRun: 1 })],
 * });
 * const { messages } = await agent.invoke("Search.");
 * for (const message of messages) if (message.role === "tool") console.log(textOf(message));
 * ```
 */
export function toolCallLimit(options: ToolCallLimitOptions): Middleware {
  checkOptions("toolCallLimit()", options, optionNames);
  const { tools, maxPerRun, onLimit = "continue" } = options;
  checkSelection("tools of toolCallLimit()", tools);
  wholeNumber("maxPerRun", maxPerRun, 0);
  checkChoice("onLimit of toolCallLimit()", onLimit, ["continue", "end", "error"]);
  const callsOf = perRun(() => ({ count: 0, exceeded: false }));
  return {
    name: "toolCallLimit",
    async *aroundTool(toolRun, next) {
      const calls = callsOf(toolRun.run);
      if (!isSelected(tools, toolRun)) yield* next(toolRun);
      else if (calls.count < maxPerRun) {
        calls.count++;
        yield* next(toolRun);
      } else {
        calls.exceeded = true;
        const message = `The tool "${toolRun.call.name}" was not run because the limit of tool calls is reached. Do not call it again.`;
        const error = new AgentError("limit", message, { state: toolRun.state });
        if (onLimit === "error") throw error;
        yield refuseCall(toolRun.call, error);
      }
    },
    afterStep: (_state, run) => (onLimit === "end" && callsOf(run).exceeded ? { end: true } : undefined),
  };
}
