import { formatIssues } from "../../schema/schema.js";
import { abortable } from "../../stream/operators/abortable.js";
import { forwardingIterator } from "../../stream/core/forwarding-iterator.js";
import { type Spliced, splicing } from "../../stream/core/splicing.js";
import { AgentError } from "../errors.js";
import type { AgentEvent } from "../events.js";
import { around, type RunInfo } from "../middleware/middleware.js";
import type { Setup } from "./setup.js";
import { type AgentInput, type AgentState, openCalls, stateOf } from "./state.js";
import { finishAgain, modelStep, pausedStep, type StepResult } from "./step.js";

/** The options of one run. */
export interface RunOptions<Context = unknown> {
  /** Ends the run with the signal's reason: the model's connection is closed, and all tools are stopped. */
  readonly signal?: AbortSignal | undefined;
  /** What tools and middleware know of the caller: who the user is, connections, settings. */
  readonly context?: Context;
}

/**
 * A run, which begins when it is iterated. Closing it, or its signal, aborts the signal of all that it has under way, so that
 * it ends also where the model is silent.
 */
export function openRun(
  setup: Setup,
  input: AgentInput,
  { signal, context }: RunOptions = {},
): AsyncIterable<AgentEvent> {
  const state = stateOf(input);
  const events = {
    [Symbol.asyncIterator](): AsyncIterator<AgentEvent> {
      const controller = new AbortController();
      const run = splicing(() => wholeRun(setup, state, context, controller.signal))[Symbol.asyncIterator]();
      return forwardingIterator(() => run, {
        close: () => {
          controller.abort(signal?.aborted === true ? signal.reason : left);
          return run.return?.();
        },
      });
    },
  };
  return signal === undefined ? events : abortable<AgentEvent>(signal)(events);
}

/** The reason of a run that its consumer has left. */
export const left: DOMException = new DOMException("The run was left before its end.", "AbortError");

async function* wholeRun(
  setup: Setup,
  state: AgentState,
  context: unknown,
  signal: AbortSignal,
): Spliced<AgentEvent> {
  const { name: agent, store, middleware } = setup;
  const run: RunInfo = { agent, context: await checkContext(setup, context), store, signal };
  const hooks = middleware.flatMap((it) => it.aroundRun ?? []);
  if (hooks.length === 0) yield* runSteps(setup, run, state);
  else yield around(hooks, (info: RunInfo) => splicing(() => runSteps(setup, info, state)))(run);
}

async function checkContext({ contextSchema }: Setup, context: unknown): Promise<unknown> {
  if (contextSchema === undefined) return context;
  const result = await contextSchema.validate(context);
  if (result.issues === undefined) return result.value;
  throw new AgentError(
    "invalid_options",
    `The context does not satisfy contextSchema. ${formatIssues(result.issues)}`,
    {
      issues: result.issues,
    },
  );
}

/** Steps, until the model has answered. */
async function* runSteps(setup: Setup, run: RunInfo, given: AgentState): Spliced<AgentEvent> {
  if (given.status === "finished") {
    const { state, end = { reason: "answer" } } = yield* finishAgain(setup, given);
    yield { type: "finish", ...end, state };
    return;
  }
  let state = given;
  for (;;) {
    const before = await change(setup, "beforeStep", state, run);
    if (before.end) {
      yield { type: "finish", reason: "ended", state: { ...before.state, status: "finished" } };
      return;
    }
    state = before.state;
    const waiting = openCalls(state.messages).length > 0;
    if (!waiting && state.step >= setup.maxSteps) {
      const message = `The model was asked ${setup.maxSteps} times (maxSteps), and has not come to an end.`;
      throw new AgentError("max_steps", message, { state });
    }
    const step = waiting ? pausedStep(setup, run, state) : modelStep(setup, run, state);
    const result = yield* withState(step, state);
    const after = await change(setup, "afterStep", result.state, run);
    const end = result.end ?? (after.end ? ({ reason: "ended" } as const) : undefined);
    ({ state } = after);
    if (end !== undefined && state.status === "running") state = { ...state, status: "finished" };
    yield { type: "step_end", step: state.step, state };
    if (end === undefined) continue;
    yield { type: "finish", ...end, state };
    return;
  }
}

/** An error of ours that does not say where the run stood gets the state before the step. */
async function* withState(
  step: Spliced<AgentEvent, StepResult>,
  state: AgentState,
): Spliced<AgentEvent, StepResult> {
  try {
    return yield* step;
  } catch (error) {
    throw error instanceof AgentError && error.state === undefined ? error.withState(state) : error;
  }
}

/** All hooks of one kind, one after the other, each with what those before have made of the state. */
async function change(
  { middleware }: Setup,
  hook: "beforeStep" | "afterStep",
  given: AgentState,
  run: RunInfo,
): Promise<{ readonly state: AgentState; readonly end: boolean }> {
  let state = given;
  for (const it of middleware) {
    const { messages, end = false } = (await it[hook]?.(state, run)) ?? {};
    if (messages !== undefined) state = { ...state, messages };
    if (end) return { state, end };
  }
  return { state, end: false };
}
