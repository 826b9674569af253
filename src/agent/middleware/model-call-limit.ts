import { wholeNumber } from "../../text/check-number.js";
import { checkChoice, checkOptions, type OptionNames } from "../../text/check-options.js";
import { AgentError } from "../errors.js";
import type { Middleware } from "./middleware.js";
import { perRun } from "./per-run.js";

/** The options of `modelCallLimit()`. */
export interface ModelCallLimitOptions {
  /** The maximum number of model calls in a run. */
  readonly maxPerRun: number;
  /**
   * The reaction to a further call:
   *
   * - `end`: the run ends (`finish` with the reason `ended`);
   * - `error`: the run fails with an `AgentError` of the code `limit`, which has the state.
   *
   * Default: `end`.
   */
  readonly onLimit?: "end" | "error";
}

const optionNames = { maxPerRun: true, onLimit: true } satisfies OptionNames<ModelCallLimitOptions>;

/**
 * Limits the number of model calls in a run. A resumed run starts counting at 0.
 *
 * The order of the middleware matters. Listed after `modelRetry()` or `modelFallback()`, the limit counts each attempt.
 * An attempt over the limit always fails with `limit`, because a run cannot end in the middle of a step.
 *
 * @throws {RangeError} if `maxPerRun` is not a whole number of at least 1
 * @throws {TypeError} for an unknown option or reaction
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
 *   middleware: [modelCallLimit({ maxPerRun: 3 })],
 * });
 * console.log((await agent.invoke("Think.")).state.step); // 3
 * ```
 */
export function modelCallLimit(options: ModelCallLimitOptions): Middleware {
  checkOptions("modelCallLimit()", options, optionNames);
  const { maxPerRun, onLimit = "end" } = options;
  wholeNumber("maxPerRun", maxPerRun, 1);
  checkChoice("onLimit of modelCallLimit()", onLimit, ["end", "error"]);
  const callsOf = perRun(() => ({ count: 0 }));
  const message = `The run reached its limit of ${maxPerRun} model calls (maxPerRun of modelCallLimit).`;
  return {
    name: "modelCallLimit",
    beforeStep: (state, run) => {
      if (callsOf(run).count < maxPerRun) return undefined;
      if (onLimit === "error") throw new AgentError("limit", message, { state });
      return { end: true };
    },
    async *aroundModel(call, next) {
      const calls = callsOf(call.run);
      if (calls.count >= maxPerRun) throw new AgentError("limit", message);
      calls.count++;
      yield* next(call);
    },
  };
}
