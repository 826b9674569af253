import { wholeNumber } from "../../stream/numbers.js";
import { AgentError } from "../errors.js";
import type { Middleware } from "./middleware.js";
import { keptPerRun } from "./kept-per-run.js";
import { refusal } from "../loop/refusal.js";
import { isSelected, type ToolSelection } from "./tool-selection.js";

/** The options of `toolCallLimit()`. */
export interface ToolCallLimitOptions {
  /** Which calls count, together. Default: all. */
  readonly tools?: ToolSelection;
  /** How many of them may be run in a run of the agent. */
  readonly perRun: number;
  /**
   * What becomes of a call that is too many. In none of the cases its tool is run:
   *
   * - `continue`: the model is told that the limit is reached, and goes on;
   * - `end`: it is told, and the run comes to its end after the step (`finish` with the reason `ended`);
   * - `error`: the run fails with an `AgentError` of the code `limit`.
   *
   * Default: `continue`.
   */
  readonly onLimit?: "continue" | "end" | "error";
}

/**
 * Limits how many calls of tools are run in a run of the agent. A run that is resumed counts anew.
 *
 * @throws {RangeError} if `perRun` is not a whole number of at least 0
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
 *   middleware: [toolCallLimit({ tools: ["search"], perRun: 1 })],
 * });
 * const { messages } = await agent.invoke("Search.");
 * for (const message of messages) if (message.role === "tool") console.log(textOf(message));
 * ```
 */
export function toolCallLimit({ tools, perRun, onLimit = "continue" }: ToolCallLimitOptions): Middleware {
  wholeNumber("perRun", perRun, 0);
  const callsOf = keptPerRun(() => ({ count: 0, exceeded: false }));
  return {
    name: "toolCallLimit",
    async *aroundTool(run, next) {
      const calls = callsOf(run.run);
      if (!isSelected(tools, run.call)) yield* next(run);
      else if (calls.count < perRun) {
        calls.count++;
        yield* next(run);
      } else {
        calls.exceeded = true;
        const message = `The limit of tool calls is reached, and "${run.call.name}" was not run. Do not call it again.`;
        const error = new AgentError("limit", message, { state: run.state });
        if (onLimit === "error") throw error;
        yield refusal(run.call, error);
      }
    },
    afterStep: (_state, run) => (onLimit === "end" && callsOf(run).exceeded ? { end: true } : undefined),
  };
}
