import type { JsonObject } from "../../json/value.js";
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import type { Message } from "../../messages/message.js";
import type { ToolInvocation } from "../../tools/run/invocation.js";
import { AgentError } from "../errors.js";
import type { Middleware, ToolRun } from "./middleware.js";
import { keptPerRun } from "./kept-per-run.js";
import { refusal } from "../loop/refusal.js";
import { isSelected, type ToolSelection } from "./tool-selection.js";

/** What a person says to a call of a tool. */
export type ApprovalDecision =
  /** It is run as it is. */
  | { readonly type: "approve" }
  /** It is run with these arguments, and the conversation shows them in place of those that the model wrote. */
  | { readonly type: "edit"; readonly args: JsonObject }
  /** It is not run, and the model is told so. */
  | { readonly type: "reject"; readonly message?: string };

/** The options of `humanApproval()`. */
export interface HumanApprovalOptions<Context = unknown> {
  /** Which calls are to be approved. Default: all. */
  readonly tools?: ToolSelection;
  /**
   * The decision, or a promise of it. `undefined` is none yet: the run pauses at the end of the step, and when it is resumed
   * the question is put again.
   */
  readonly decide: (
    call: ToolInvocation,
    run: ToolRun<Context>,
  ) => ApprovalDecision | undefined | PromiseLike<ApprovalDecision | undefined>;
}

/**
 * Has calls of tools approved by a person before they are run.
 *
 * Two ways. `decide` waits: it asks and promises the decision, while the run stays under way. Or the run waits: `decide` gives
 * `undefined`, the run ends with the reason `paused`, and `agent.stream({ resume: state })` goes on from its state, which is
 * plain data, on another day or in another process. Calls that need no approval are run meanwhile, and those that are
 * decided are not asked about again.
 *
 * @example
 * ```ts
 * import { createAgent, textOf, tool } from "millrace";
 * import { type ApprovalDecision, humanApproval } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const decisions = new Map<string, ApprovalDecision>();
 * const call = { type: "tool_call" as const, id: "call_1", name: "pay", args: { input: "100 €" } };
 * const agent = createAgent({
 *   model: scriptedModel(({ index }) => (index === 0 ? [{ content: [call] }] : ["As you wish."])),
 *   tools: [tool({ name: "pay", run: (amount) => `paid ${amount}` })],
 *   middleware: [humanApproval({ tools: ["pay"], decide: ({ id }) => decisions.get(id) })],
 * });
 * const { state } = await agent.invoke("Pay the bill.");
 * console.log(state.status); // "paused"
 * decisions.set("call_1", { type: "reject", message: "Too much." });
 * const { messages } = await agent.invoke({ resume: state });
 * console.log(messages.map(textOf).slice(2)); // ["Too much.", "As you wish."]
 * ```
 */
export function humanApproval<Context = unknown>({
  tools,
  decide,
}: HumanApprovalOptions<Context>): Middleware<Context> {
  const editsOf = keptPerRun(() => new Map<string, JsonObject>());
  return {
    name: "humanApproval",
    async *aroundTool(run, next) {
      const { call } = run;
      const decision: ApprovalDecision | undefined = isSelected(tools, call)
        ? await decide(call, run)
        : { type: "approve" };
      // The answer may have come when nobody waits for it any more.
      run.run.signal.throwIfAborted();
      switch (decision?.type) {
        case undefined:
          yield { type: "paused" };
          return;
        case "approve":
          yield* next(run);
          return;
        case "edit":
          editsOf(run.run).set(call.id, decision.args);
          yield* next({ ...run, call: { ...call, args: decision.args } });
          return;
        case "reject": {
          const message = decision.message ?? `The call of "${call.name}" was rejected by a person.`;
          yield refusal(call, new AgentError("rejected", message, { state: run.state }));
        }
      }
    },
    afterStep: ({ messages }, run) => {
      const edits = editsOf(run);
      if (edits.size === 0) return undefined;
      const edited = messages.map((message) => withArgs(message, edits));
      edits.clear();
      return { messages: edited };
    },
  };
}

/** The model is to see the arguments that its result is of. */
function withArgs(message: Message, edits: ReadonlyMap<string, JsonObject>): Message {
  const isEdited = (block: ContentBlock): boolean => block.type === "tool_call" && edits.has(block.id);
  if (message.role !== "assistant" || !message.content.some(isEdited)) return message;
  return {
    ...message,
    content: message.content.map((block) =>
      block.type === "tool_call" ? { ...block, args: edits.get(block.id) ?? block.args } : block,
    ),
  };
}
