import type { JsonCoercion } from "../../json/coercion.js";
import { isObject } from "../../json/value.js";
import type { ToolCallBlock } from "../../messages/blocks/blocks.js";
import type { FinishedCall } from "../../messages/merge/finished-call.js";
import type { ToolMessage } from "../../messages/message.js";
import { knownTools } from "../../parsers/tool-calls/tool-call-checks.js";
import { coerceValue, type CoerceOptions } from "../../schema/coerce/coerce-value.js";
import type { Schema } from "../../schema/schema.js";
import { schemaOf } from "../../schema/schema-of.js";
import { map } from "../../stream/operators/map.js";
import { errorEvent } from "../../tools/run/answer.js";
import type { AnyTool } from "../../tools/run/any-tool.js";
import { quoted } from "../../text/cut.js";
import { ToolError } from "../../tools/errors.js";
import { runTool } from "../../tools/run/run-tool.js";
import { AgentError } from "../errors.js";
import type { AgentEvent } from "../events.js";
import type { NextToolRun, RunInfo, ToolOutcome } from "../middleware/middleware.js";
import { refuseCall } from "../call-answers.js";
import type { AgentState } from "../state.js";

/** A call, and how its arguments were coerced. */
interface CoercedCall {
  readonly block: FinishedCall;
  readonly coercions?: readonly JsonCoercion[];
}

const schemas = new WeakMap<AnyTool, Schema<unknown>>();

/** The schema of the arguments that the model writes. */
function schemaOfTool(tool: AnyTool): Schema<unknown> {
  let schema = schemas.get(tool);
  if (schema === undefined) schemas.set(tool, (schema = schemaOf(tool.schema ?? tool.parameters)));
  return schema;
}

/** The tool calls of one step. Each tool starts when its arguments are complete. */
export class ToolRuns {
  /** The tool messages by the id of the call. */
  private readonly answers = new Map<string, ToolMessage>();
  /** Whether all tools that were called have `returnDirect`, and none failed. */
  direct = true;

  private readonly undecided = new Set<string>();
  private readonly run: RunInfo;
  private readonly state: AgentState;
  private readonly setup: CoerceOptions & { readonly runTool: NextToolRun };
  /** Called after the first call is complete: until then, middleware may change the tools. */
  private readonly tools: () => readonly AnyTool[];

  constructor(run: RunInfo, state: AgentState, setup: ToolRuns["setup"], tools: () => readonly AnyTool[]) {
    this.run = run;
    this.state = state;
    this.setup = setup;
    this.tools = tools;
  }

  /** The number of calls that wait for a decision. */
  get paused(): number {
    return this.undecided.size;
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
      if (this.undecided.has(id)) return [];
      const problem = `The tool call ${quoted(id)} has no result. aroundTool() of a middleware must yield a result, an error or "paused".`;
      throw new AgentError("no_result", problem);
    });
  }

  /** Whether the call is valid and its tool exists. */
  canRun(block: FinishedCall): block is ToolCallBlock {
    return block.type === "tool_call" && this.toolOf(block) !== undefined;
  }

  private toolOf({ name }: FinishedCall): AnyTool | undefined {
    return this.tools().find((tool) => tool.name === name);
  }

  /** The call with its arguments as the schema of its tool expects them. */
  coerce(block: FinishedCall): CoercedCall {
    const tool = this.toolOf(block);
    if (block.type !== "tool_call" || tool === undefined) return { block };
    const found = coerceValue(block.args, schemaOfTool(tool), this.setup);
    return isObject(found?.value)
      ? { block: { ...block, args: found.value }, coercions: found.coercions }
      : { block };
  }

  /** Runs the tool of one call. The last event has the message for the model. */
  start(block: FinishedCall): AsyncIterable<AgentEvent> {
    const { id, name = "" } = block;
    const tools = this.tools();
    const tool = this.toolOf(block);
    if (tool?.returnDirect !== true) this.direct = false;
    const toEvents = map((outcome: ToolOutcome) => this.toEvent(id, name, block, outcome));
    if (tool === undefined) return toEvents(once(() => unknownCall(block, tools)));
    if (block.type === "invalid_tool_call") {
      const call = { id, name, args: {} };
      return toEvents(
        once(() => errorEvent(tool, call, new ToolError("invalid_input", block.error, { tool: name }))),
      );
    }
    const { run, state } = this;
    return toEvents(this.setup.runTool({ run, tool, call: { id, name, args: block.args }, state }));
  }

  private toEvent(id: string, name: string, block: FinishedCall, outcome: ToolOutcome): AgentEvent {
    if (outcome.type === "progress") return { type: "tool_progress", id, name, value: outcome.value };
    if (outcome.type === "paused") {
      this.undecided.add(id);
      return { type: "tool_paused", id, name, args: block.type === "tool_call" ? block.args : {} };
    }
    const { message } = outcome;
    this.undecided.delete(id);
    this.answers.set(id, message);
    // The model must see an error.
    if (outcome.type === "error" || message.status === "error") this.direct = false;
    return outcome.type === "error"
      ? { type: "tool_error", id, name, message, error: outcome.error }
      : { type: "tool_result", id, name, message, value: outcome.value };
  }
}

/** Runs the tool itself, inside all middleware. */
export function runWithoutMiddleware({
  tool,
  call,
  run,
  state,
  idempotencyKey,
}: Parameters<NextToolRun>[0]): AsyncIterable<ToolOutcome> {
  const { context, store, signal } = run;
  return runTool(tool, call, { state, context, store, signal, idempotencyKey });
}

function unknownCall(block: FinishedCall, tools: readonly AnyTool[]): ToolOutcome {
  const available = knownTools(tools.map(({ name }) => name));
  const nameless = block.type === "invalid_tool_call" && block.name === undefined;
  const problem = nameless ? block.error : `There is no tool ${quoted(block.name ?? "")}; ${available}.`;
  return refuseCall(block, new AgentError("unknown_tool", problem));
}

async function* once<T>(make: () => T | Promise<T>): AsyncGenerator<T, undefined, undefined> {
  yield await make();
}
