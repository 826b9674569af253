import type { MessageChunk } from "../../messages/chunk.js";
import type { Message } from "../../messages/message.js";
import { addUsage } from "../../messages/usage.js";
import { Joining, merging } from "../../stream/core/merging.js";
import type { Spliced } from "../../stream/core/splicing.js";
import { stage } from "../../stream/core/stage.js";
import { AnswerCapture, type CallEnded, type Captured, modelRequest } from "../answer/answer-capture.js";
import { confirmResponse, correctResponse } from "../answer/correction.js";
import { AgentError } from "../errors.js";
import type { AgentEvent, FinishEvent } from "../events.js";
import { around, type ModelCall, type RunInfo } from "../middleware/middleware.js";
import { callModel } from "./model-call.js";
import type { RunSetup } from "./setup.js";
import { type AgentState, callIds, openCalls } from "../state.js";
import { ToolRuns } from "./tool-runs.js";
import { classifyAnswer, structuredEvent, validateAgain } from "../answer/classify-answer.js";
import { isInstance } from "../../text/thrown.js";

/** The state after a step, and how the run ended if this was the last step. */
export interface StepResult {
  readonly state: AgentState;
  readonly end?: Omit<FinishEvent, "type" | "state">;
}

/**
 * Calls the model and runs the tools that it calls.
 *
 * @param ids the ids of all calls of the run. Those of this step are added
 */
export async function* modelStep(
  setup: RunSetup,
  run: RunInfo,
  before: AgentState,
  ids: Set<string>,
): Spliced<AgentEvent, StepResult> {
  const step = before.step + 1;
  yield { type: "step", step };

  const { model, system, tools, responseFormat, callOptions: options, planner } = setup;
  const { messages } = before;
  // Replaced by the call that reaches the model. If a middleware answers instead, these values of the agent apply.
  let request = modelRequest(planner.plan(setup), setup);
  const callInner = (call: ModelCall): AsyncIterable<MessageChunk> => {
    request = modelRequest(planner.plan(call), call);
    return callModel(call, request.plan);
  };
  const callOuter = around(
    setup.middleware.map((it) => it.aroundModel),
    callInner,
  );
  const capture = new AnswerCapture(() => request, ids);
  const runs = new ToolRuns(run, before, setup, () => request.tools);
  const chunks = callOuter({ run, step, model, system, messages, tools, responseFormat, options });
  yield withTools(capture.operator(chunks), runs);

  const captured = capture.captured as Captured; // set when the stream ended
  const { message } = captured;
  for (const id of callIds([message])) ids.add(id);
  const usage = addUsage(before.usage, message.usage);
  const state: AgentState = {
    ...before,
    step,
    messages: [...before.messages, message],
    ...(usage === undefined ? undefined : { usage }),
  };
  if (message.usage !== undefined && usage !== undefined) {
    yield { type: "usage", usage: message.usage, total: usage };
  }
  return yield* endStep(setup, captured, runs, state);
}

/** Runs the open calls of a run that was paused. */
export async function* pausedStep(
  setup: RunSetup,
  run: RunInfo,
  paused: AgentState,
): Spliced<AgentEvent, StepResult> {
  const state: AgentState = { ...paused, status: "running" };
  const runs = new ToolRuns(run, state, setup, () => setup.tools);
  runs.direct = answeredDirectly(setup, state);
  const calls = openCalls(state.messages);
  yield withTools(endedCalls(calls), runs);
  const ids = calls.map(({ id }) => id);
  return yield* endToolStep(setup, state, runs, ids);
}

/** Whether the calls of this step that have an answer are all of tools with `returnDirect`, and none failed. */
function answeredDirectly({ tools }: RunSetup, { messages }: AgentState): boolean {
  const answers = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  return answers.every(
    (answer) =>
      answer.role === "tool" &&
      answer.status !== "error" &&
      tools.some(({ name, returnDirect }) => name === answer.name && returnDirect),
  );
}

async function* endedCalls(
  calls: ReturnType<typeof openCalls>,
): AsyncGenerator<CallEnded, undefined, undefined> {
  for (const block of calls) yield { type: "call_ended", block };
}

/** Starts each tool when its call ends, and merges its events with the following output of the model. */
function withTools(events: AsyncIterable<AgentEvent | CallEnded>, runs: ToolRuns): AsyncIterable<AgentEvent> {
  const starting = stage<AgentEvent | CallEnded, AgentEvent | Joining<AgentEvent>>((emit) => ({
    next: (event) => {
      if (event.type !== "call_ended") {
        emit(event);
        return;
      }
      const { block, coercions } = runs.coerce(event.block);
      emit(new Joining(runs.start(block)));
      if (runs.canRun(block)) {
        const { id, name, args, repairs } = block;
        emit({
          ...{ type: "tool_start", id, name, args },
          ...(repairs !== undefined && { repairs }),
          ...(coercions !== undefined && { coercions }),
        });
      }
    },
  }));
  return merging<AgentEvent>([starting(events)]);
}

/** Validates the structured response, and decides whether the run continues. */
async function* endStep(
  setup: RunSetup,
  captured: Captured,
  runs: ToolRuns,
  state: AgentState,
): AsyncGenerator<AgentEvent, StepResult, undefined> {
  const { message, calls, response } = captured;
  const { finishReason } = message;
  const finish = finishReason === undefined ? undefined : { finishReason };
  const answer = await classifyAnswer(captured);
  const ids = calls.map(({ id }) => id);

  if (answer.kind === "response") {
    const { name, value, written } = answer;
    yield structuredEvent(answer, captured);
    const answers = [...runs.answersTo(ids), ...confirmResponse(captured, written)];
    yield* messageEvents(answers);
    const done: AgentState = {
      ...state,
      messages: [...state.messages, ...answers],
      response: { name, value: written },
    };
    if (runs.paused > 0) return paused(done);
    return {
      state: { ...done, status: "finished" },
      end: { reason: "structured", structuredResponse: value, ...finish },
    };
  }
  if (response.shown) yield { type: "structured_reset" };
  if (answer.kind === "pause") return { state };
  if (answer.kind === "text") {
    return { state: { ...state, status: "finished" }, end: { reason: "answer", ...finish } };
  }
  if (answer.kind === "tool_calls") return yield* endToolStep(setup, state, runs, ids);

  const { error } = answer;
  const retry = state.retries + 1;
  const { messages, failure = retry > setup.maxRetries ? { error } : undefined } = await correctResponse(
    captured,
    error,
  );
  const answers = [...runs.answersTo(ids), ...messages];
  // Providers reject an assistant message without content.
  const kept = message.content.length > 0 ? state.messages : state.messages.slice(0, -1);
  const answered: AgentState = { ...state, messages: [...kept, ...answers] };
  if (failure === undefined) yield { type: "structured_error", error, retry };
  yield* messageEvents(answers);
  if (failure === undefined) {
    const retrying = { ...answered, retries: retry };
    return runs.paused > 0 ? paused(retrying) : { state: retrying };
  }
  throw isInstance(failure.error, AgentError) ? failure.error.withState(answered) : failure.error;
}

/** Ends a step whose calls have run. */
async function* endToolStep(
  setup: RunSetup,
  before: AgentState,
  runs: ToolRuns,
  ids: readonly string[],
): AsyncGenerator<AgentEvent, StepResult, undefined> {
  const answers = runs.answersTo(ids);
  yield* messageEvents(answers);
  const state = { ...before, messages: [...before.messages, ...answers] };
  if (runs.paused > 0) return paused(state);
  // The model may have written the response together with the paused calls.
  if (state.response !== undefined) return yield* finishAgain(setup, state);
  if (!runs.direct) return { state };
  return { state: { ...state, status: "finished" }, end: { reason: "return_direct" } };
}

function paused(state: AgentState): StepResult {
  return { state: { ...state, status: "paused" }, end: { reason: "paused" } };
}

/** Repeats the result of a finished run. */
export async function* finishAgain(
  setup: RunSetup,
  before: AgentState,
): AsyncGenerator<AgentEvent, StepResult, undefined> {
  const { response } = before;
  const state: AgentState = { ...before, status: "finished" };
  if (response === undefined) return { state, end: { reason: "answer" } };
  const target = setup.planner.target(setup, response.name);
  const { name, value } = await validateAgain(target, response);
  yield { type: "structured", name, value };
  return { state, end: { reason: "structured", structuredResponse: value } };
}

async function* messageEvents(
  messages: readonly Message[],
): AsyncGenerator<AgentEvent, undefined, undefined> {
  for (const message of messages) yield { type: "message", message };
}
