import { checkObject } from "../../text/check-options.js";
import { type JsonValue, valueAt } from "../../json/value.js";
import { textOf } from "../../messages/blocks/read.js";
import type { MessagesInput } from "../../messages/to-messages.js";
import type { SchemaInput } from "../../schema/schema-of.js";
import { wholeNumber } from "../../text/check-number.js";
import { tool, type ToolOf, type ToolOptions } from "../../tools/define/tool.js";
import type { RunArgs } from "../../tools/define/tool-types.js";
import { resultEvent } from "../../tools/run/answer.js";
import { runTool } from "../../tools/run/run-tool.js";
import type { ToolInvocation, ToolRuntime } from "../../tools/run/runtime.js";
import { refuseCall } from "../call-answers.js";
import { AgentError } from "../errors.js";
import type { AgentEvent, FinishEvent } from "../events.js";
import type { NestedAgent, OuterRun, ToolOutcome, ToolRun } from "../middleware/middleware.js";
import { callIds, withPrefix } from "../../messages/open-calls.js";
import type { AgentInput, AgentState } from "../state.js";

/** The options of `agentTool()`: those of `tool()` that a run of an agent can have, and two more. */
export interface AgentToolOptions<Name extends string, S extends SchemaInput | undefined> extends Pick<
  ToolOptions<Name, S, unknown, unknown, unknown>,
  | "description"
  | "schema"
  | "strict"
  | "extras"
  | "returnDirect"
  | "timeout"
  | "concurrency"
  | "onError"
  | "onInvalidInput"
> {
  readonly name: Name;
  /**
   * Converts the arguments to the input of the agent. Default: the one string of a tool without a schema is the message
   * of the user. With a `schema` it is required.
   */
  readonly toInput?: (args: RunArgs<S, unknown>) => MessagesInput;
  /**
   * How many agents may run inside each other, this one included. The model gets a message about a call that goes
   * deeper. Default: 3.
   */
  readonly maxDepth?: number;
}

/** An agent that a tool can run: what `createAgent()` returns. */
export interface CallableAgent<Structured = unknown> extends NestedAgent {
  stream(
    input: AgentInput,
    options?: Parameters<NestedAgent["stream"]>[1],
  ): AsyncIterable<AgentEvent<Structured>>;
}

/** The progress of a call that runs an agent: an event of that agent. */
export interface NestedProgress {
  /** The names of the tools that lead to the agent: `["research", "search"]`. */
  readonly path: readonly string[];
  /** The ids of the calls of these tools. */
  readonly ids: readonly string[];
  /**
   * The event, without what is not for a page: states and errors. A `finish` or `step_end` has its other fields, and
   * tokens are events `usage` of the outer run.
   */
  readonly event: NestedEvent;
}

/** An event of a nested agent. */
export type NestedEvent = PartOf<Exclude<AgentEvent, { type: "usage" }>>;
type PartOf<Event> = Event extends unknown ? Omit<Event, "state" | "error"> : never;

/** The result of a tool that runs an agent: its structured response, or else its text. */
export type AgentToolResult<Structured> = Structured extends undefined ? string : Structured;

/**
 * Makes a tool that runs an agent.
 *
 * - **The result** is the structured response of the agent as JSON, and the artifact of the message; without a response
 *   format it is the text of its last message.
 * - **Its events** are the progress of the call, as `NestedProgress`. Its tokens are added to those of the outer run.
 * - **A pause** inside, such as that of `humanApproval()`, pauses the outer run. `agent.stream({ resume: state })`
 *   continues the inner run exactly where it was: its state is in that of the outer one, in `saved`.
 * - **It gets the `context` of the outer run**, and ends with it: an abort reaches all depths. Its errors are those of a
 *   tool, so by default the model gets a message about them.
 * - **In a durable run**, the model calls and tools of the inner agent are steps of their own, so a process that dies in
 *   the middle of the inner run repeats only what was under way.
 *
 * @throws {ToolError} `invalid_tool`, and a `RangeError`, as `tool()`
 * @throws {TypeError} with a `schema` and no `toInput`, or for an agent without `stream()`
 *
 * @example
 * ```ts
 * import { createAgent, textOf } from "millrace";
 * import { agentTool } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const researcher = createAgent({ model: scriptedModel(["Mills grind ", "grain."]) });
 * const research = agentTool(researcher, { name: "research", description: "Answers a question about history." });
 * const call = { type: "tool_call" as const, id: "1", name: "research", args: { input: "What do mills do?" } };
 * const writer = createAgent({
 *   model: scriptedModel(({ index }) => (index === 0 ? [{ content: [call] }] : ["They grind."])),
 *   tools: [research],
 * });
 * const { messages } = await writer.invoke("Write about mills.");
 * console.log(messages.map(textOf).slice(2)); // ["Mills grind grain.", "They grind."]
 * ```
 */
export function agentTool<
  Structured,
  const Name extends string,
  const S extends SchemaInput | undefined = undefined,
>(
  agent: CallableAgent<Structured>,
  options: AgentToolOptions<Name, S>,
): ToolOf<Name, S, unknown, AgentToolResult<Structured>, unknown> {
  checkObject("agentTool()", options);
  const { toInput = (args: unknown) => args as string, maxDepth = 3, ...own } = options;
  wholeNumber("maxDepth", maxDepth, 1);
  if (typeof (agent as Partial<NestedAgent> | undefined)?.stream !== "function")
    throw new TypeError("agentTool() expects an agent that createAgent() has made.");
  if (own.schema !== undefined && options.toInput === undefined)
    throw new TypeError("With a schema, agentTool() needs toInput: (args) => the messages for the agent.");
  const inputOf = toInput as NestedCall["inputOf"];
  const made = tool<Name, S>({
    ...own,
    async *run(args, { signal, context }) {
      const finish = yield* eventsOf(agent.stream(inputOf(args), { signal, context }));
      if (finish.reason !== "paused") return resultOf(agent, finish);
      throw new AgentError("ended", "The run paused, and only a run of an agent can resume it.", finish);
    },
  });
  const outcomes = (run: ToolRun): AsyncIterable<ToolOutcome> =>
    outcomesOf({ agent, inputOf, maxDepth }, run);
  return Object.assign(made, { outcomes }) as never;
}

interface NestedCall {
  readonly agent: NestedAgent;
  readonly inputOf: (args: unknown) => MessagesInput;
  readonly maxDepth: number;
}

const noOuterRun: OuterRun = { calls: [], ids: [] };

async function* outcomesOf(
  { agent, inputOf, maxDepth }: NestedCall,
  { run, tool: called, call, state, nested, idempotencyKey }: ToolRun,
): AsyncGenerator<ToolOutcome, undefined, undefined> {
  const { context, store, signal, outer = noOuterRun } = run;
  const given = <T>(byId: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    nested === undefined ? byId : withoutPrefix(byId, `${call.id}_`);
  const decisions = given(Object.fromEntries(run.decisions));
  const results = given(run.results ?? {});
  if (outer.calls.length >= maxDepth) {
    const message = `"${call.name}" was not run, because ${outer.calls.length} agents already run inside each other. Do it without it.`;
    yield refuseCall(call, new AgentError("max_depth", message, { state }));
    return;
  }
  const within: OuterRun = {
    calls: [...outer.calls, { id: call.id, name: call.name }],
    ids: [...outer.ids, ...callIds(state.messages), call.id],
  };
  const inner = nested?.(agent) ?? agent;
  const saved = valueAt(state.saved, [call.id]);
  let finish: FinishEvent | undefined;
  const calling = {
    ...called,
    async *run(args: unknown, runtime: ToolRuntime) {
      const input = saved === undefined ? inputOf(args) : { resume: saved as unknown as AgentState };
      const options = { signal: runtime.signal, context, decisions, results, outer: within };
      finish = yield* eventsOf(inner.stream(input, options));
      return finish.reason === "paused" ? undefined : resultOf(agent, finish);
    },
  };
  const runOptions = { state, context, store, signal, idempotencyKey };
  for await (const outcome of runTool(calling, call, runOptions)) {
    if (outcome.type === "progress") yield toOutcome(outcome.value as AgentEvent, call);
    else if (outcome.type === "error" || finish === undefined) yield outcome;
    else if (finish.reason === "paused") {
      const { state } = finish;
      // A durable run begins again, with the ids that the inner model wrote. Two agents may have written the same.
      const saved = nested === undefined ? state : withPrefix(state, call.id);
      yield { type: "paused", waitsFor: "agent", saved: saved as unknown as JsonValue };
    } else if (!("structuredResponse" in finish)) yield outcome;
    else {
      const { value } = outcome;
      const both = resultEvent({ ...called, output: "content_and_artifact" }, call, [value, value]);
      yield { ...both, value };
    }
  }
}

/** The entries of the ids that `withPrefix()` has made, by the ids before. */
function withoutPrefix<T>(byId: Readonly<Record<string, T>>, prefix: string): Record<string, T> {
  return Object.fromEntries(
    Object.entries(byId).flatMap(([id, it]) =>
      id.startsWith(prefix) ? [[id.slice(prefix.length), it]] : [],
    ),
  );
}

/** The values that this module has made. A tool may report progress of the same form. */
const progressOfAgents = new WeakSet<NestedProgress>();

function toOutcome(event: AgentEvent, { id, name }: ToolInvocation): ToolOutcome {
  if (event.type === "usage") return { type: "usage", usage: event.usage, model: event.model };
  const inner = event.type === "tool_progress" ? (event.value as NestedProgress) : undefined;
  const value: NestedProgress =
    inner !== undefined && progressOfAgents.has(inner)
      ? { path: [name, ...inner.path], ids: [id, ...inner.ids], event: inner.event }
      : { path: [name], ids: [id], event: withoutSecrets(event) };
  progressOfAgents.add(value);
  return { type: "progress", value };
}

/** Pages see progress. A state has the whole conversation, and an error its stack. */
function withoutSecrets(event: Exclude<AgentEvent, { type: "usage" }>): NestedEvent {
  const { state: _state, error: _error, ...shown } = event as { state?: unknown; error?: unknown };
  return shown as NestedEvent;
}

/** The events of a run. Returns the last one. */
async function* eventsOf(
  events: AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent, FinishEvent, undefined> {
  let finish: FinishEvent | undefined;
  for await (const event of events) {
    if (event.type === "finish") finish = event;
    yield event;
  }
  if (finish !== undefined) return finish;
  throw new AgentError("ended", "The run of the agent ended without a finish event.");
}

function resultOf({ options }: NestedAgent, finish: FinishEvent): unknown {
  if ("structuredResponse" in finish) return finish.structuredResponse;
  const { reason, state } = finish;
  if ((options as { readonly responseFormat?: unknown } | undefined)?.responseFormat !== undefined)
    throw new AgentError("ended", `The agent ended (${reason}) without a structured response.`, { state });
  const last = state.messages.at(-1);
  return last === undefined ? "" : textOf(last);
}
