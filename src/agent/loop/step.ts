import type { JsonValue } from "../../json/value.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { Message } from "../../messages/message.js";
import { addUsage } from "../../messages/usage.js";
import { Joining, merging } from "../../stream/core/merging.js";
import type { Spliced } from "../../stream/core/splicing.js";
import { stage } from "../../stream/core/stage.js";
import { answerTo } from "./answer-to.js";
import { type Asked, Capture, type CallEnded, type Captured } from "../response/capture.js";
import { correction } from "../response/correction.js";
import { AgentError } from "../errors.js";
import type { AgentEvent, FinishEvent } from "../events.js";
import { around, type ModelCall, type RunInfo } from "../middleware/middleware.js";
import { askModel } from "./model-call.js";
import { givenUp } from "../response/partial-events.js";
import type { Setup } from "./setup.js";
import { type AgentState, openCalls } from "./state.js";
import { ToolRuns } from "./tool-runs.js";
import { checkAgain, judge } from "../response/verdict.js";

/** Where a run stands after a step, and whether it has ended with it. */
export interface StepResult {
  readonly state: AgentState;
  readonly end?: Omit<FinishEvent, "type" | "state">;
}

/** One call of the model, and the runs of the tools that it calls. */
export async function* modelStep(
  setup: Setup,
  run: RunInfo,
  before: AgentState,
): Spliced<AgentEvent, StepResult> {
  const step = before.step + 1;
  yield { type: "step", step };

  const { model, systemPrompt, tools, responseFormat, callOptions: options } = setup;
  const { messages } = before;
  // A middleware may answer in the place of the model: then it was asked as the agent says.
  let asked: Asked = { tools, plan: setup.planner.plan(responseFormat, model.profile) };
  const ask = (call: ModelCall): AsyncIterable<MessageChunk> => {
    asked = { tools: call.tools, plan: setup.planner.plan(call.responseFormat, call.model.profile) };
    return askModel(call, asked.plan);
  };
  const askAsTold = around(
    setup.middleware.map((it) => it.aroundModel),
    ask,
  );
  const capture = new Capture(() => asked);
  const runs = new ToolRuns(run, before, setup.runTool, () => asked.tools);
  const chunks = askAsTold({ run, step, model, systemPrompt, messages, tools, responseFormat, options });
  yield withTools(capture.operator(chunks), runs);

  const { captured } = capture;
  if (captured === undefined) throw new Error("The model's stream has ended, but nothing was captured.");
  const { message } = captured;
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
  return yield* conclude(setup, captured, runs, state);
}

/** The calls that a run which was paused goes on with. */
export async function* pausedStep(
  setup: Setup,
  run: RunInfo,
  paused: AgentState,
): Spliced<AgentEvent, StepResult> {
  const state: AgentState = { ...paused, status: "running" };
  const runs = new ToolRuns(run, state, setup.runTool, () => setup.tools);
  const calls = openCalls(state.messages);
  yield withTools(ended(calls), runs);
  const ids = calls.map(({ id }) => id);
  return yield* answerCalls(setup, state, runs, ids);
}

async function* ended(calls: ReturnType<typeof openCalls>): AsyncGenerator<CallEnded, undefined, undefined> {
  for (const block of calls) yield { type: "call_ended", block };
}

/** Starts each tool when its call has ended, while what else the model writes goes on. */
function withTools(events: AsyncIterable<AgentEvent | CallEnded>, runs: ToolRuns): AsyncIterable<AgentEvent> {
  const starting = stage<AgentEvent | CallEnded, AgentEvent | Joining<AgentEvent>>((emit) => ({
    next: (event) => {
      if (event.type !== "call_ended") {
        emit(event);
        return;
      }
      const { block } = event;
      emit(new Joining(runs.start(block)));
      if (runs.has(block)) emit({ type: "tool_start", id: block.id, name: block.name, args: block.args });
    },
  }));
  return merging<AgentEvent>([starting(events)]);
}

async function* conclude(
  setup: Setup,
  captured: Captured,
  runs: ToolRuns,
  state: AgentState,
): AsyncGenerator<AgentEvent, StepResult, undefined> {
  const { message, calls, response } = captured;
  const { finishReason } = message;
  const why = finishReason === undefined ? undefined : { finishReason };
  const verdict = await judge(captured);
  const ids = calls.map(({ id }) => id);

  if (verdict.kind === "response") {
    const { name, value, written } = verdict;
    yield { type: "structured", value, name };
    const answers = [...answersOf(runs, ids), ...responseMessages(captured, written)];
    yield* said(answers);
    const done: AgentState = {
      ...state,
      messages: [...state.messages, ...answers],
      response: { name, value: written },
    };
    if (runs.paused > 0) return paused(done);
    return {
      state: { ...done, status: "finished" },
      end: { reason: "structured", structuredResponse: value, ...why },
    };
  }
  if (response.shown) yield givenUp;
  if (verdict.kind === "answer") {
    return { state: { ...state, status: "finished" }, end: { reason: "answer", ...why } };
  }
  if (verdict.kind === "calls") return yield* answerCalls(setup, state, runs, ids);

  const { error } = verdict;
  const retry = state.retries + 1;
  const { told, failure = retry > setup.maxRetries ? { error } : undefined } = await correction(
    captured,
    error,
  );
  const answers = [...answersOf(runs, ids), ...told];
  // An answer without any content is nothing that a model could be shown again.
  const kept = message.content.length > 0 ? state.messages : state.messages.slice(0, -1);
  const answered: AgentState = { ...state, messages: [...kept, ...answers] };
  if (failure === undefined) yield { type: "structured_error", error, retry };
  yield* said(answers);
  if (failure === undefined) return { state: { ...answered, retries: retry } };
  throw failure.error instanceof AgentError ? failure.error.withState(answered) : failure.error;
}

async function* answerCalls(
  setup: Setup,
  before: AgentState,
  runs: ToolRuns,
  ids: readonly string[],
): AsyncGenerator<AgentEvent, StepResult, undefined> {
  const answers = answersOf(runs, ids);
  yield* said(answers);
  const state = { ...before, messages: [...before.messages, ...answers] };
  if (runs.paused > 0) return paused(state);
  // A call that was paused may have stood beside the response.
  if (state.response !== undefined) return yield* finishAgain(setup, state);
  if (!runs.direct) return { state };
  return { state: { ...state, status: "finished" }, end: { reason: "return_direct" } };
}

function paused(state: AgentState): StepResult {
  return { state: { ...state, status: "paused" }, end: { reason: "paused" } };
}

/** A run that had come to its end says again what came of it. */
export async function* finishAgain(
  { planner, responseFormat, model }: Setup,
  given: AgentState,
): AsyncGenerator<AgentEvent, StepResult, undefined> {
  const { response } = given;
  const state: AgentState = { ...given, status: "finished" };
  if (response === undefined) return { state, end: { reason: "answer" } };
  const { name, value } = await checkAgain(planner.plan(responseFormat, model.profile), response);
  yield { type: "structured", name, value };
  return { state, end: { reason: "structured", structuredResponse: value } };
}

/** In the order of the calls, whichever was ready first. */
function answersOf(runs: ToolRuns, ids: readonly string[]): Message[] {
  return ids.flatMap((id) => runs.answers.get(id) ?? []);
}

function responseMessages({ response }: Captured, written: JsonValue): Message[] {
  const text =
    response.plan?.toolMessageContent ?? `Returning structured response: ${JSON.stringify(written)}`;
  return response.calls.map((call) => answerTo(call, text, "success"));
}

async function* said(messages: readonly Message[]): AsyncGenerator<AgentEvent, undefined, undefined> {
  for (const message of messages) yield { type: "message", message };
}
