import { type JsonObject, valueAt } from "../../json/value.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import type { Failure } from "../../stream/core/inlet.js";
import { ToolError } from "../../tools/errors.js";
import { errorEvent } from "../../tools/run/answer.js";
import type { AnyTool } from "../../tools/run/any-tool.js";
import type { ToolInvocation } from "../../tools/run/runtime.js";
import { type ApprovalDecision, hasWaited, toDecision } from "../decisions.js";
import { coercedArgs } from "../coerced-args.js";
import { AgentError } from "../errors.js";
import { valueOrWait } from "../journal.js";
import { map } from "../../stream/operators/map.js";
import type { Middleware, ToolOutcome, ToolRun } from "./middleware.js";
import { perRun } from "./per-run.js";
import { refuseCall, withArgs } from "../call-answers.js";
import { checkSelection, isSelected, type ToolSelection } from "./tool-selection.js";

/** The options of `humanApproval()`. */
export interface HumanApprovalOptions<Context = unknown> {
  /** The calls that need approval. Default: all. */
  readonly tools?: ToolSelection;
  /**
   * Returns or resolves to the decision. With `undefined`, the run pauses at the end of the step, and `decide` is
   * called again when the run is resumed. A durable run records the decision, so `decide` is not called for it again.
   * If its journal can receive messages, it does not pause, but waits for the message `decision` of the call.
   *
   * Not called for a call with a decision in the `decisions` of the run, or whose arguments are invalid. Default: the run
   * pauses for each other call.
   */
  readonly decide?: (
    call: ToolInvocation,
    run: ToolRun<Context>,
  ) => ApprovalDecision | undefined | PromiseLike<ApprovalDecision | undefined>;
}

const optionNames = { tools: true, decide: true } satisfies OptionNames<HumanApprovalOptions>;

/**
 * Asks a person to approve tool calls before they run.
 *
 * There are two ways to wait. `decide` can return a promise: the run stays open until it resolves. Or nobody has decided
 * yet: the run ends with the reason `paused`, and `agent.stream({ resume: state }, { decisions })` continues it. The
 * state is plain data, so this works later and in another process. Calls that need no approval run in the meantime. Calls that
 * already have a decision are not asked about again.
 *
 * @throws {TypeError} for an unknown option, or tools that are no names
 *
 * @example
 * ```ts
 * import { createAgent, textOf, tool } from "millrace";
 * import { humanApproval } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const call = { type: "tool_call" as const, id: "call_1", name: "pay", args: { input: "100 €" } };
 * const agent = createAgent({
 *   model: scriptedModel(({ index }) => (index === 0 ? [{ content: [call] }] : ["OK."])),
 *   tools: [tool({ name: "pay", run: (amount) => `paid ${amount}` })],
 *   middleware: [humanApproval({ tools: ["pay"] })],
 * });
 * const { state } = await agent.invoke("Pay the bill.");
 * console.log(state.status); // "paused"
 * const decisions = { call_1: { type: "reject", message: "Too much." } } as const;
 * const { messages } = await agent.invoke({ resume: state }, { decisions });
 * console.log(messages.map(textOf).slice(2)); // ["Too much.", "OK."]
 * ```
 */
export function humanApproval<Context = unknown>(
  options: HumanApprovalOptions<Context> = {},
): Middleware<Context> {
  checkOptions("humanApproval()", options, optionNames);
  const { tools, decide } = options;
  checkSelection("tools of humanApproval()", tools);
  const editsOf = perRun(() => new Map<string, JsonObject>());
  return {
    name: "humanApproval",
    async *aroundTool(toolRun, next) {
      const { call, tool, journal } = toolRun;
      // A call that waits keeps what it needs: when the run is resumed, another tool may have its name.
      const approved = valueAt(toolRun.state.approved, [call.id]);
      const isAsked = approved === undefined ? isSelected(tools, toolRun) : !approved;
      const start = isAsked || approved ? (it: ToolRun<Context>) => approvedPauses(next(it)) : next;
      const given = hasWaited(toolRun) ? toolRun.run.decisions.get(call.id) : undefined;
      if (isAsked && given === undefined) {
        const invalid = await problemOf(tool, call.args);
        if (invalid !== undefined) {
          yield errorEvent(tool, call, invalid.error);
          return;
        }
      }
      let decision: ApprovalDecision | undefined = isAsked
        ? await decideOnce(toolRun, given, decide)
        : { type: "approve" };
      if (decision === undefined && journal?.receive !== undefined) {
        yield { type: "paused" };
        decision = toDecision(await journal.receive("decision"));
      }
      // The run may have been aborted while the decision was pending.
      toolRun.run.signal.throwIfAborted();
      switch (decision?.type) {
        case undefined:
          yield { type: "paused", approved: false };
          return;
        case "approve":
          yield* start(toolRun);
          return;
        case "edit": {
          const { args, problem } = coercedArgs(tool, decision.args, toolRun.run.coercion);
          if (problem !== undefined) {
            yield errorEvent(tool, call, new ToolError("invalid_input", problem, { tool: call.name }));
            return;
          }
          editsOf(toolRun.run).set(call.id, args);
          yield* start({ ...toolRun, call: { ...call, args } });
          return;
        }
        case "reject": {
          const message = decision.message ?? `A person rejected the call of "${call.name}".`;
          yield refuseCall(call, new AgentError("rejected", message, { state: toolRun.state }));
        }
      }
    },
    afterStep: ({ messages }, run) => {
      const edits = editsOf(run);
      if (edits.size === 0) return undefined;
      const edited = withArgs(messages, edits);
      edits.clear();
      return { messages: edited };
    },
  };
}

/** An approval inside decides for itself. */
const approvedPauses = map((outcome: ToolOutcome) =>
  outcome?.type === "paused" ? { approved: true, ...outcome } : outcome,
);

/** Why the arguments cannot run, so that nobody is asked about them. Injected ones are known only when the tool runs. */
async function problemOf(tool: AnyTool, args: JsonObject): Promise<Failure | undefined> {
  if (Object.keys(tool.inject).length > 0) return undefined;
  try {
    await tool.check(args, {}, tool.strict);
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** In a durable run the decision is a step. If `decide` decides nothing, a resumed run calls it again. */
async function decideOnce<Context>(
  toolRun: ToolRun<Context>,
  given: ApprovalDecision | undefined,
  decide: HumanApprovalOptions<Context>["decide"],
): Promise<ApprovalDecision | undefined> {
  const decision = await valueOrWait(toolRun.journal, "approval", async () => {
    const decided = given ?? (await decide?.(toolRun.call, toolRun));
    return decided ? { ...toDecision(decided) } : undefined;
  });
  return decision === undefined ? undefined : toDecision(decision);
}
