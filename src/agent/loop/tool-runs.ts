import { applyPatch } from "../../json/patch/apply-patch.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import type { JsonArray, JsonObject } from "../../json/value.js";
import type { InvalidToolCallBlock } from "../../messages/blocks/blocks.js";
import type { FinishedCall } from "../../messages/blocks/read.js";
import { nestedRun, withFreeIds } from "../../messages/open-calls.js";
import type { ToolMessage } from "../../messages/message.js";
import { withCost } from "../../messages/prices.js";
import type { Usage } from "../../messages/usage.js";
import { addUsage } from "../../text/add-usage.js";
import { knownTools } from "../../parsers/tool-calls/tool-call-checks.js";
import { map } from "../../stream/operators/map.js";
import { errorEvent } from "../../tools/run/answer.js";
import type { AnyTool } from "../../tools/run/any-tool.js";
import { fieldOf } from "../../text/thrown.js";
import { quoted } from "../../text/cut.js";
import { excerpt, messageOf } from "../../text/excerpt.js";
import { ToolError } from "../../tools/errors.js";
import { runTool } from "../../tools/run/run-tool.js";
import { AgentError } from "../errors.js";
import type { AgentEvent, ToolStartEvent, UsageEvent } from "../events.js";
import {
  around,
  type RunInfo,
  type ToolOutcome,
  type ToolPause,
  type ToolRun,
} from "../middleware/middleware.js";
import { unclearCall } from "../answer/unclear-call.js";
import type { RunSetup } from "./setup.js";
import { refuseCall, withArgs } from "../call-answers.js";
import { coercedArgs } from "../coerced-args.js";
import type { AgentState } from "../state.js";

/** A call whose tool runs, or that is answered with an error. */
interface ToolStart {
  /** The last one has the message for the model. */
  readonly events: AsyncIterable<AgentEvent>;
  /** Absent if the tool cannot run. */
  readonly begin?: ToolStartEvent;
}

/** The tool calls of one step. Each tool starts when its arguments are complete. */
export class ToolRuns {
  /** The tool messages by the id of the call. */
  private readonly answers = new Map<string, ToolMessage>();
  /** Whether all tools that were called have `returnDirect`, and none failed. */
  direct = true;

  /** Whether any call is complete, so that its tool may have started. */
  begun = false;

  /** The tokens that nested agents have used. */
  usage: Usage | undefined;

  private readonly waiting = new Map<string, ToolPause>();
  /** The arguments that are not those of the model, by the ids of the calls. */
  private readonly coerced = new Map<string, JsonObject>();
  /** The changes of the values, by the ids of the calls. */
  private readonly patches = new Map<string, readonly AnyPatchOperation[]>();
  private readonly run: RunInfo;
  private readonly state: AgentState;
  private readonly setup: Pick<RunSetup, "middleware" | "prices">;
  /** Runs a tool inside all middleware. */
  private readonly runTool: (toolRun: ToolRun) => AsyncIterable<ToolOutcome>;
  /** Called after the first call is complete: until then, middleware may change the tools. */
  private readonly tools: () => readonly AnyTool[];

  constructor(run: RunInfo, state: AgentState, setup: ToolRuns["setup"], tools: () => readonly AnyTool[]) {
    this.run = run;
    this.state = state;
    this.setup = setup;
    this.runTool = around(setup.middleware, "aroundTool", runWithoutMiddleware);
    this.tools = tools;
  }

  get paused(): boolean {
    return this.waiting.size > 0;
  }

  /**
   * The state with what the calls of this step have saved, instead of those of the step before, and with the values that
   * they have changed, in the order of the calls.
   *
   * @throws {AgentError} `invalid_state` if a change cannot be applied
   */
  after(before: AgentState, ids: readonly string[]): AgentState {
    const state = withoutPauses(before);
    const waiting = ids.flatMap((id) => {
      const paused = this.waiting.get(id);
      return paused === undefined ? [] : [{ id, ...paused, inner: nestedRun(paused.saved) }];
    });
    const taken = new Set(waiting.flatMap(({ id, inner }) => (inner === undefined ? [id] : [])));
    const saved = waiting.flatMap(({ id, saved, inner }) => {
      const kept = inner === undefined ? saved : withFreeIds(inner, id, taken);
      return kept === undefined ? [] : [[id, kept] as const];
    });
    const clientCalls = waiting.flatMap(({ id, waitsFor }) => (waitsFor === "client" ? [id] : []));
    const approved = waiting.flatMap((it) =>
      it.approved === undefined ? [] : [[it.id, it.approved] as const],
    );
    const patch = ids.flatMap((id) => this.patches.get(id) ?? []);
    // Whoever decides about a call sees what will run.
    const shown = new Map([...this.coerced].filter(([id]) => this.waiting.has(id)));
    return {
      ...state,
      ...(shown.size > 0 && { messages: withArgs(state.messages, shown) }),
      ...(saved.length > 0 && { saved: Object.fromEntries(saved) }),
      ...(clientCalls.length > 0 && { clientCalls }),
      ...(approved.length > 0 && { approved: Object.fromEntries(approved) }),
      ...(patch.length > 0 && { values: changedValues(state.values, patch) }),
    };
  }

  /**
   * The tool messages in the order of the calls, not of their completion.
   *
   * @throws {AgentError} `no_result` if a call has none and is not paused
   */
  answersTo(ids: readonly string[]): ToolMessage[] {
    return ids.flatMap((id) => {
      const answer = this.answers.get(id);
      if (answer !== undefined) return [answer];
      if (this.waiting.has(id)) return [];
      const problem = `The tool call ${quoted(id)} has no result. aroundTool() of a middleware must yield a result, an error or "paused".`;
      throw new AgentError("no_result", problem);
    });
  }

  /** Runs the tool of one call. */
  start(written: FinishedCall): ToolStart {
    this.begun = true;
    const { id, name = "" } = written;
    const tools = this.tools();
    const tool = tools.find((it) => it.name === name);
    if (tool?.returnDirect !== true) this.direct = false;
    if (tool === undefined) return this.answerOnce(written, () => unknownCall(written, tools));
    if (written.type === "invalid_tool_call")
      return this.answerOnce(written, () => invalidCall(written, tool));
    const { repairs } = written;
    const { args, coercions, problem } = coercedArgs(tool, written.args, this.run.coercion);
    if (problem !== undefined) return this.start(unclearCall(written, problem));
    if (coercions !== undefined) this.coerced.set(id, args);
    const { run, state } = this;
    const block = { ...written, args };
    return {
      events: this.eventsOf(block, this.runTool({ run, tool, call: { id, name, args }, state })),
      begin: {
        ...{ type: "tool_start", id, name, args },
        ...(repairs !== undefined && { repairs }),
        ...(coercions !== undefined && { coercions }),
      },
    };
  }

  private answerOnce(block: FinishedCall, answer: () => ToolOutcome | Promise<ToolOutcome>): ToolStart {
    return { events: this.eventsOf(block, once(answer)) };
  }

  private eventsOf(block: FinishedCall, outcomes: AsyncIterable<ToolOutcome>): AsyncIterable<AgentEvent> {
    return map((outcome: ToolOutcome) => this.toEvent(block, outcome))(outcomes);
  }

  private toEvent(block: FinishedCall, outcome: ToolOutcome): AgentEvent {
    const { id, name = "" } = block;
    if (outcome?.type === "progress") return { type: "tool_progress", id, name, value: outcome.value };
    if (outcome?.type === "usage") {
      const { model } = outcome;
      const usage = withCost(outcome.usage, model, this.setup.prices);
      this.usage = addUsage(this.usage, usage);
      return usageEvent(usage, addUsage(this.state.usage, this.usage), model);
    }
    if (outcome?.type === "paused") {
      const { waitsFor } = outcome;
      this.waiting.set(id, outcome);
      const args = block.type === "tool_call" ? block.args : {};
      return { type: "tool_paused", id, name, args, ...(waitsFor !== undefined && { waitsFor }) };
    }
    if (!isAnswer(outcome)) {
      const problem = `aroundTool() of a middleware must yield events of its tool or "paused", but yielded ${excerpt(outcome, 200)}.`;
      throw new AgentError("invalid_middleware", problem);
    }
    const { message } = outcome;
    this.waiting.delete(id);
    this.answers.set(id, message);
    if (outcome.type === "result" && outcome.statePatch !== undefined)
      this.patches.set(id, outcome.statePatch);
    // The model must see an error.
    if (outcome.type === "error" || message.status === "error") this.direct = false;
    return outcome.type === "error"
      ? { type: "tool_error", id, name, message, error: outcome.error }
      : { type: "tool_result", id, name, message, value: outcome.value };
  }
}

/** A call that has the id of one that no longer waits would continue it, without the approval that it needs. */
export function withoutPauses({
  saved: _,
  clientCalls: __,
  approved: ___,
  ...state
}: AgentState): AgentState {
  return state;
}

function changedValues(values: JsonObject = {}, patch: readonly AnyPatchOperation[]): JsonObject {
  try {
    return applyPatch(values, patch) as JsonObject;
  } catch (cause) {
    const problem = `A tool cannot change the values of the state: ${excerpt(messageOf(cause))}`;
    throw new AgentError("invalid_state", problem, { cause });
  }
}

export function usageEvent(usage: Usage, total: Usage = usage, model?: string): UsageEvent {
  return { type: "usage", ...(model !== undefined && { model }), usage, total };
}

/** Runs the tool itself, inside all middleware. */
function runWithoutMiddleware(toolRun: ToolRun): AsyncIterable<ToolOutcome> {
  const { tool, run, state, idempotencyKey } = toolRun;
  const { context, store, signal } = run;
  // The tool may change its arguments, and these are those of the message.
  const call = { ...toolRun.call, args: ownCopy(toolRun.call.args) };
  return tool.outcomes === undefined
    ? runTool(tool, call, { state, context, store, signal, idempotencyKey })
    : (tool.outcomes({ ...toolRun, call } as never) as AsyncIterable<ToolOutcome>);
}

/** A copy that shares no object and no array. Does not recurse: `maxDepth` can be raised. */
function ownCopy(value: JsonObject): JsonObject {
  const copy = { ...value };
  const open: (JsonObject | JsonArray)[] = [copy];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    for (const [key, inner] of Object.entries(container)) {
      if (typeof inner !== "object" || inner === null) continue;
      const own = Array.isArray(inner) ? [...inner] : { ...inner };
      (container as JsonObject)[key] = own;
      open.push(own);
    }
  }
  return copy;
}

/** Whether it is the last event of a tool. */
function isAnswer(outcome: unknown): boolean {
  const type = fieldOf(outcome, "type");
  return (type === "result" || type === "error") && fieldOf(fieldOf(outcome, "message"), "role") === "tool";
}

function unknownCall(block: FinishedCall, tools: readonly AnyTool[]): ToolOutcome {
  const available = knownTools(tools.map(({ name }) => name));
  const nameless = block.type === "invalid_tool_call" && block.name === undefined;
  const problem = nameless ? block.error : `There is no tool ${quoted(block.name ?? "")}; ${available}.`;
  return refuseCall(block, new AgentError("unknown_tool", problem));
}

function invalidCall({ id, name = "", error }: InvalidToolCallBlock, tool: AnyTool): Promise<ToolOutcome> {
  const call = { id, name, args: {} };
  return errorEvent(tool, call, new ToolError("invalid_input", error, { tool: name }));
}

async function* once<T>(make: () => T | Promise<T>): AsyncGenerator<T, undefined, undefined> {
  yield await make();
}
