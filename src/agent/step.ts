import type { MessageChunk } from "../messages/chunk.js";
import type { Message } from "../messages/message.js";
import { addUsage } from "../messages/usage.js";
import { spawn } from "../stream/spawn.js";
import { Capture, type CallEnded, type Captured } from "./capture.js";
import { correction } from "./correction.js";
import { AgentError } from "./errors.js";
import type { AgentEvent, FinishEvent } from "./events.js";
import { around, type ModelCall, type RunInfo } from "./middleware.js";
import { askModel } from "./model-call.js";
import { givenUp } from "./partial-events.js";
import type { Plan } from "./plan.js";
import type { Setup } from "./setup.js";
import { type AgentState, openCalls } from "./state.js";
import { ToolRuns } from "./tool-runs.js";
import { judge, type Response } from "./verdict.js";

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
): AsyncGenerator<AgentEvent, StepResult, undefined> {
  const step = before.step + 1;
  yield { type: "step", step };

  let asked: { readonly call: ModelCall; readonly plan: Plan | undefined } | undefined;
  const ask = (call: ModelCall): AsyncIterable<MessageChunk> => {
    const plan = setup.planner.plan(call.responseFormat, call.model.profile);
    asked = { call, plan };
    return askModel(call, plan);
  };
  const askAsTold = around(
    setup.middleware.map((it) => it.aroundModel),
    ask,
  );
  const capture = new Capture(
    () => asked?.plan,
    () => (asked?.call.tools.length ?? 0) > 0,
  );
  const runs = new ToolRuns(run, before, setup.runTool, () => asked?.call.tools ?? setup.tools);
  const { model, systemPrompt, tools, responseFormat, callOptions: options } = setup;
  const { messages } = before;
  const chunks = askAsTold({ run, step, model, systemPrompt, messages, tools, responseFormat, options });
  yield* withTools(capture.operator(chunks), runs);

  const { captured } = capture;
  if (captured === undefined) throw new Error("The model's stream has ended, but nothing was captured.");
  const { message, response } = captured;
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
  return yield* conclude(setup, captured, runs, state, response.plan);
}

/** The calls that a run which was paused goes on with. */
export async function* pausedStep(
  setup: Setup,
  run: RunInfo,
  paused: AgentState,
): AsyncGenerator<AgentEvent, StepResult, undefined> {
  const state: AgentState = { ...paused, status: "running" };
  const runs = new ToolRuns(run, state, setup.runTool, () => setup.tools);
  const calls = openCalls(state.messages);
  yield* withTools(ended(calls), runs);
  return yield* answerCalls(
    state,
    runs,
    calls.map(({ id }) => id),
  );
}

async function* ended(calls: ReturnType<typeof openCalls>): AsyncGenerator<CallEnded, undefined, undefined> {
  for (const block of calls) yield { type: "call_ended", block };
}

/** Starts each tool when its call has ended, while what else the model writes goes on. */
async function* withTools(
  events: AsyncIterable<AgentEvent | CallEnded>,
  runs: ToolRuns,
): AsyncGenerator<AgentEvent, undefined, undefined> {
  const all = spawn<AgentEvent | CallEnded>((event) =>
    event.type === "call_ended" ? runs.start(event.block) : undefined,
  )(events);
  for await (const event of all) {
    if (event.type !== "call_ended") yield event;
    else if (event.block.type === "tool_call") {
      const { id, name, args } = event.block;
      yield { type: "tool_start", id, name, args };
    }
  }
}

async function* conclude(
  setup: Setup,
  captured: Captured,
  runs: ToolRuns,
  state: AgentState,
  plan: Plan | undefined,
): AsyncGenerator<AgentEvent, StepResult, undefined> {
  const { message, calls, response } = captured;
  const { finishReason } = message;
  const why = finishReason === undefined ? undefined : { finishReason };
  const verdict = await judge(captured);
  const ids = calls.map(({ id }) => id);

  if (verdict.kind === "response") {
    yield { type: "structured", value: verdict.value, name: verdict.name };
    const answers = [...answersOf(runs, ids), ...responseMessage(plan, captured, verdict)];
    yield* said(answers);
    const { name, value, written } = verdict;
    return {
      state: {
        ...state,
        messages: [...state.messages, ...answers],
        response: { name, value: written },
        status: "finished",
      },
      end: { reason: "structured", structuredResponse: value, ...why },
    };
  }
  if (response.shown) yield givenUp;
  if (verdict.kind === "answer") {
    return { state: { ...state, status: "finished" }, end: { reason: "answer", ...why } };
  }
  if (verdict.kind === "calls") return yield* answerCalls(state, runs, ids);

  const { error } = verdict;
  const told = await correction(plan as Plan, captured, error).catch((thrown: unknown) => {
    throw thrown instanceof AgentError ? thrown.withState(state) : thrown;
  });
  const retry = state.retries + 1;
  if (retry > setup.maxRetries) throw error.withState(state);
  yield { type: "structured_error", error, retry };
  const answers = [...answersOf(runs, ids), ...told];
  yield* said(answers);
  // An answer without any content is nothing that a model could be shown again.
  const kept = message.content.length > 0 ? state.messages : state.messages.slice(0, -1);
  return { state: { ...state, retries: retry, messages: [...kept, ...answers] } };
}

async function* answerCalls(
  state: AgentState,
  runs: ToolRuns,
  ids: readonly string[],
): AsyncGenerator<AgentEvent, StepResult, undefined> {
  const answers = answersOf(runs, ids);
  yield* said(answers);
  const answered = { ...state, messages: [...state.messages, ...answers] };
  if (runs.paused > 0) return { state: { ...answered, status: "paused" }, end: { reason: "paused" } };
  if (!runs.direct) return { state: answered };
  return { state: { ...answered, status: "finished" }, end: { reason: "return_direct" } };
}

/** In the order of the calls, whichever was ready first. */
function answersOf(runs: ToolRuns, ids: readonly string[]): Message[] {
  return ids.flatMap((id) => runs.answers.get(id) ?? []);
}

function responseMessage(plan: Plan | undefined, { response }: Captured, { written }: Response): Message[] {
  return response.calls.map(({ id, name }) => ({
    role: "tool",
    content: [
      {
        type: "text",
        text: plan?.toolMessageContent ?? `Returning structured response: ${JSON.stringify(written)}`,
      },
    ],
    toolCallId: id,
    ...(name === undefined ? undefined : { name }),
    status: "success",
  }));
}

async function* said(messages: readonly Message[]): AsyncGenerator<AgentEvent, undefined, undefined> {
  for (const message of messages) yield { type: "message", message };
}
