import { wholeNumber } from "../../stream/numbers.js";
import { AgentError } from "../errors.js";
import type { Middleware } from "./middleware.js";
import { keptPerRun } from "./kept-per-run.js";

/** The options of `modelCallLimit()`. */
export interface ModelCallLimitOptions {
  /** How often the model may be asked in a run. */
  readonly perRun: number;
  /**
   * What becomes of a run that would ask once more: it comes to its end (`finish` with the reason `ended`), or fails with an
   * `AgentError` of the code `limit`, which carries the state. Default: `end`.
   */
  readonly onLimit?: "end" | "error";
}

/**
 * Limits how often the model is asked in a run. A run that is resumed counts anew.
 *
 * It counts the calls that it sees: behind `modelRetry()` or `modelFallback()` also each of their attempts, and one of these
 * that is too many fails with `limit` in either case, as the middle of a step is no place to end.
 *
 * @throws {RangeError} if `perRun` is not a whole number of at least 1
 *
 * @example
 * ```ts
 * import { createAgent, tool } from "millrace";
 * import { modelCallLimit } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const call = { content: [{ type: "tool_call" as const, id: "1", name: "think", args: { input: "more" } }] };
 * const agent = createAgent({
 *   model: scriptedModel([call]),
 *   tools: [tool({ name: "think", run: () => "hm" })],
 *   middleware: [modelCallLimit({ perRun: 3 })],
 * });
 * console.log((await agent.invoke("Think.")).state.step); // 3
 * ```
 */
export function modelCallLimit({ perRun, onLimit = "end" }: ModelCallLimitOptions): Middleware {
  wholeNumber("perRun", perRun, 1);
  const callsOf = keptPerRun(() => ({ count: 0 }));
  const message = `The model may be asked ${perRun} times in a run (modelCallLimit), and would be asked once more.`;
  return {
    name: "modelCallLimit",
    beforeStep: (state, run) => {
      if (callsOf(run).count < perRun) return undefined;
      if (onLimit === "error") throw new AgentError("limit", message, { state });
      return { end: true };
    },
    async *aroundModel(call, next) {
      const calls = callsOf(call.run);
      if (calls.count >= perRun) throw new AgentError("limit", message);
      calls.count++;
      yield* next(call);
    },
  };
}
