import type { JsonObject } from "../../json/value.js";
import { isRecord } from "../../messages/loose.js";
import type { Message } from "../../messages/message.js";
import { callIds, openCalls } from "../../messages/open-calls.js";
import { withCost } from "../../messages/prices.js";
import type { Usage } from "../../messages/usage.js";
import { formatIssues } from "../../schema/schema.js";
import type { Spliced } from "../../stream/core/splicing.js";
import { addUsage } from "../../text/add-usage.js";
import { excerpt } from "../../text/excerpt.js";
import { fieldOf, isInstance } from "../../text/thrown.js";
import { AgentError, type AgentErrorCode } from "../errors.js";
import { withoutPauses } from "./tool-runs.js";
import type { AgentEvent } from "../events.js";
import { hookName, type RunInfo, type StepChange } from "../middleware/middleware.js";
import type { AgentState } from "../state.js";
import type { RunSetup } from "./setup.js";
import { finishAgain, modelStep, pausedStep, type StepResult } from "./step.js";

/** The state with its values checked. */
export async function withValues(
  { stateSchema }: RunSetup,
  state: AgentState,
  code: AgentErrorCode,
): Promise<AgentState> {
  if (stateSchema === undefined) return state;
  const result = await stateSchema.validate(state.values ?? {});
  if (result.issues === undefined) return { ...state, values: result.value as JsonObject };
  const { issues } = result;
  const problem = `The values of the state do not satisfy stateSchema. ${formatIssues(issues)}`;
  throw new AgentError(code, problem, { issues });
}

/** Runs one step after the other until one ends the run. */
export async function* runSteps(setup: RunSetup, run: RunInfo, initial: AgentState): Spliced<AgentEvent> {
  if (initial.status === "finished") {
    const { state, end = { reason: "answer" } } = yield* finishAgain(setup, initial);
    yield { type: "finish", ...end, state };
    return;
  }
  let state = initial;
  // The ids of all calls of the run, also of those whose messages a hook has removed.
  const ids = knownIds(run, initial);
  /** The messages whose ids are in the set. */
  let collected: readonly Message[] = initial.messages;
  for (let first = true; ; first = false) {
    const before = await runHooks(setup, "beforeStep", state, run);
    ({ state } = before);
    yield* usageEvents(before);
    const resuming = openCalls(state.messages).length > 0;
    if (before.end) {
      yield {
        type: "finish",
        reason: "ended",
        state: { ...state, status: resuming ? "paused" : "finished" },
      };
      return;
    }
    if (state.messages !== collected) for (const id of callIds(state.messages)) ids.add(id);
    // Only a paused run has open calls, and it ends. Calls that run again and again would never reach maxSteps.
    if (resuming && !first) {
      const message = `beforeStep() or afterStep() of a middleware left a tool call without its result. Remove a call together with it.`;
      throw new AgentError("invalid_options", message, { state });
    }
    if (!resuming && state.step - initial.step >= setup.maxSteps) {
      const message = `The run reached ${setup.maxSteps} model calls (maxSteps) without a final answer. Raise maxSteps, or resume the run from error.state.`;
      throw new AgentError("max_steps", message, { state });
    }
    const step = resuming ? pausedStep(setup, run, state) : modelStep(setup, run, withoutPauses(state), ids);
    const { state: changed, end: ended } = yield* withState(step, state);
    const isSame = changed.values === state.values;
    const checked = isSame ? changed : await withValues(setup, changed, "invalid_state");
    collected = checked.messages;
    const after = await runHooks(setup, "afterStep", checked, run);
    const end = ended ?? (after.end ? ({ reason: "ended" } as const) : undefined);
    ({ state } = after);
    if (end !== undefined && state.status === "running") state = { ...state, status: "finished" };
    yield* usageEvents(after);
    yield { type: "step_end", step: state.step, state };
    if (end === undefined) continue;
    yield { type: "finish", ...end, state };
    return;
  }
}

function knownIds({ outer }: RunInfo, { messages }: AgentState): Set<string> {
  return new Set([...(outer?.ids ?? []), ...callIds(messages)]);
}

/** Adds the state before the step to an `AgentError` without a state. */
async function* withState(
  step: Spliced<AgentEvent, StepResult>,
  state: AgentState,
): Spliced<AgentEvent, StepResult> {
  try {
    return yield* step;
  } catch (error) {
    throw isInstance(error, AgentError) && error.state === undefined ? error.withState(state) : error;
  }
}

interface HookResult {
  readonly state: AgentState;
  readonly end: boolean;
  /** The tokens that the hooks used. */
  readonly used: Usage | undefined;
}

/**
 * Runs the hooks of one kind in order. Each gets the state that the hook before it returned. Once one ends the run, the
 * step does not take place, so the other `beforeStep` hooks are skipped. A step that has taken place reaches all
 * `afterStep` hooks.
 */
async function runHooks(
  { middleware, prices }: RunSetup,
  hook: "beforeStep" | "afterStep",
  initial: AgentState,
  run: RunInfo,
): Promise<HookResult> {
  let state = initial;
  let ended = false;
  let used: Usage | undefined;
  for (const it of middleware) {
    if (ended && hook === "beforeStep") break;
    const {
      messages,
      end = false,
      usage,
      model,
    } = checkChange(await it[hook]?.(state, run), hookName(hook, it));
    if (messages !== undefined) state = { ...state, messages };
    used = addUsage(used, usage && withCost(usage, model, prices));
    ended ||= end;
  }
  const total = addUsage(initial.usage, used);
  return { state: total === initial.usage ? state : { ...state, usage: total as Usage }, end: ended, used };
}

function* usageEvents({
  state: { usage: total = {} },
  used,
}: HookResult): Generator<AgentEvent, void, undefined> {
  if (used !== undefined) yield { type: "usage", usage: used, total };
}

/** @throws {AgentError} `invalid_middleware` if it is not a `StepChange` */
function checkChange(change: unknown, hook: string): NonNullable<StepChange> {
  if (change === undefined) return {};
  const {
    messages = [],
    end = false,
    usage = {},
    model = "",
  } = Object(change) as Readonly<Record<string, unknown>>;
  const isKnown =
    typeof change === "object" &&
    change !== null &&
    Object.keys(change).every((name) => ["messages", "end", "usage", "model"].includes(name));
  if (
    isKnown &&
    typeof end === "boolean" &&
    Array.isArray(messages) &&
    messages.every(isMessage) &&
    isRecord(usage) &&
    typeof model === "string"
  )
    return change;
  throw new AgentError(
    "invalid_middleware",
    `${hook} must return { messages?, end?, usage?, model? }, an array of messages, a boolean, numbers of tokens and a name, or undefined, but returned ${excerpt(change, 200)}.`,
  );
}

function isMessage(value: unknown): boolean {
  return typeof fieldOf(value, "role") === "string";
}
