import type { Message } from "../../messages/message.js";
import { withCost } from "../../messages/prices.js";
import { addUsage } from "../../text/add-usage.js";
import { Joining, merging } from "../../stream/core/merging.js";
import type { Spliced } from "../../stream/core/splicing.js";
import { stage } from "../../stream/core/stage.js";
import { fromIterable } from "../../stream/sources/from-iterable.js";
import type { CallEnded } from "../answer/answer-reader.js";
import { answering, type AnswerItem, type Conclusion } from "../answer/conclude.js";
import { type AnswerRequest, answerRequest } from "../answer/request.js";
import type { ChatModel } from "../../models/contract/chat-model.js";
import { ModelError } from "../../models/contract/errors.js";
import { AgentError, eventProblem } from "../errors.js";
import type { AgentEvent, FinishEvent } from "../events.js";
import { around, type ModelCall, type RunInfo } from "../middleware/middleware.js";
import { callModel } from "./model-call.js";
import { askAgain } from "./ask-again.js";
import { brokenAnswers } from "./broken-answer.js";
import type { RunSetup } from "./setup.js";
import { callIds, openCalls } from "../../messages/open-calls.js";
import type { AgentState } from "../state.js";
import { ToolRuns, usageEvent } from "./tool-runs.js";
import { validateAgain } from "../answer/validate-response.js";
import { quoted } from "../../text/cut.js";
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

  const { model, system, tools, responseFormat, callOptions: options, planner, prices } = setup;
  const { messages } = before;
  // The call that reaches the model decides. If a middleware answers instead, the values of the agent apply.
  let request: AnswerRequest | undefined;
  const asked = (): AnswerRequest => (request ??= answerRequest(planner, setup));
  const requestOf = (call: ModelCall, refused?: ModelError): AnswerRequest =>
    answerRequest(planner, { ...call, prices }, refused);
  const callOuter = around(setup.middleware, "aroundModel", (call: ModelCall) => {
    request = requestOf(call);
    const known = mayFallBack(request) ? refusedFormats.get(call.model) : undefined;
    if (known !== undefined) request = requestOf(call, known);
    return askAgain(callModel(call, request), (error) => {
      if (!mayFallBack(request) || !isUnenforceable(error)) return undefined;
      if (error.status !== undefined) refusedFormats.set(call.model, error);
      return callModel(call, (request = requestOf(call, error)));
    });
  });
  const runs = new ToolRuns(run, before, setup, () => asked().tools);
  const broken = brokenAnswers(run.signal);
  const caller = run.outer?.calls.at(-1);
  const prefix = caller && `${caller.id}_call`;
  let conclusion: Conclusion | undefined;
  let { retries, usage: spent } = before;
  for (;;) {
    const chunks = callOuter({ run, step, model, system, messages, tools, responseFormat, options });
    const items = broken.items(answering(asked, ids, prefix)(broken.chunks(chunks)));
    try {
      yield withTools(items, runs, (it) => (conclusion = it));
      break;
    } catch (error) {
      // A tool that has started must not run twice.
      if (runs.begun || retries >= setup.maxRetries || options.maxRetries === 0) throw error;
      const lost = isInstance(error, ModelError) ? error.partial : undefined;
      if (lost?.usage !== undefined) {
        const usage = withCost(lost.usage, lost.model ?? request?.model, prices);
        spent = addUsage(spent, usage);
        yield usageEvent(usage, spent, lost.model);
      }
      yield* await broken.takeBack(error, ++retries);
      request = undefined;
    }
  }

  const answer = conclusion as unknown as Conclusion; // the last item of the stream
  const { message } = answer;
  for (const id of callIds([message])) ids.add(id);
  const usage = addUsage(addUsage(spent, runs.usage), message.usage);
  const state: AgentState = {
    ...before,
    step,
    retries,
    messages: [...before.messages, message],
    ...(usage !== undefined && { usage }),
  };
  if (message.usage !== undefined) yield usageEvent(message.usage, usage, message.model);
  return yield* endStep(setup, answer, runs, state);
}

/** Whether a schema that the server does not enforce may be sent as a tool. */
function mayFallBack(request: AnswerRequest | undefined): boolean {
  return request?.plan?.kind === "provider" && request.plan.fallback;
}

/** The models whose servers have refused a response format. The next calls do not ask for one. */
const refusedFormats = new WeakMap<ChatModel, ModelError>();

/** Whether a schema cannot be written for the provider, so that nothing was sent, or the server refuses response formats. */
function isUnenforceable(error: unknown): error is ModelError {
  if (!isInstance(error, ModelError)) return false;
  const { code, schemaPointer, status, message } = error;
  if (code === "invalid_request" && schemaPointer !== undefined) return true;
  return (status === 400 || status === 422) && formatName.test(message) && unsupported.test(message);
}

/** The names of the field of the schema, in the words of servers. */
const formatName = /response_?format|json_?schema|output_(?:config|format)|text\.format/i;

/** "This response_format type is unavailable now" (DeepSeek). */
const unsupported =
  /unavailable|(?:not|n't) (?:\w+ )?support|unsupported|unknown|unrecogni[sz]ed|not permitted/i;

/** Runs the open calls of a run that was paused. */
export async function* pausedStep(
  setup: RunSetup,
  run: RunInfo,
  paused: AgentState,
): Spliced<AgentEvent, StepResult> {
  const before: AgentState = { ...paused, status: "running" };
  const runs = new ToolRuns(run, before, setup, () => setup.tools);
  runs.direct = answeredDirectly(setup, before);
  const calls = openCalls(before.messages);
  const ids = calls.map(({ id }) => id);
  const known = new Set<string>();
  const repeated = ids.find((id) => known.size === known.add(id).size);
  if (repeated !== undefined) {
    const problem = `Two calls that wait have the id ${quoted(repeated)}, so a decision or a result cannot be matched. Give each call of a message its own id.`;
    throw new AgentError("invalid_options", problem);
  }
  yield withTools(fromIterable(calls.map((block): CallEnded => ({ type: "call_ended", block }))), runs);
  const usage = addUsage(before.usage, runs.usage);
  const state = { ...before, ...(usage !== undefined && { usage }) };
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

/**
 * Starts each tool when its call ends, and merges its events with the following output of the model.
 *
 * @param conclude receives the conclusion, which is no event of the run
 */
function withTools(
  items: AsyncIterable<AnswerItem>,
  runs: ToolRuns,
  conclude?: (conclusion: Conclusion) => void,
): AsyncIterable<AgentEvent> {
  const starting = stage<AnswerItem, AgentEvent | Joining<AgentEvent>>((emit) => ({
    next: (item) => {
      if (item.type === "answer") conclude?.(item);
      else if (item.type !== "call_ended") emit(item);
      else {
        const { events, begin } = runs.start(item.block);
        // A tool begins with its event: whoever ends the run knows each call that may have had an effect.
        emit(new Joining(events, begin));
      }
    },
  }));
  return merging<AgentEvent>([starting(items)]);
}

/** Decides whether the run continues, and adds the messages that follow the answer. */
async function* endStep(
  setup: RunSetup,
  { kind, message, calls, followUp, error, failure, response }: Conclusion,
  runs: ToolRuns,
  state: AgentState,
): AsyncGenerator<AgentEvent, StepResult, undefined> {
  const { finishReason } = message;
  const finish = finishReason === undefined ? undefined : { finishReason };
  const ids = calls.map(({ id }) => id);
  if (kind === "pause") return { state };
  if (kind === "text") {
    return { state: { ...state, status: "finished" }, end: { reason: "answer", ...finish } };
  }
  if (kind === "tool_calls") return yield* endToolStep(setup, state, runs, ids);

  const answers = [...runs.answersTo(ids), ...followUp];
  if (response !== undefined) {
    yield* messageEvents(answers);
    const messages = [...state.messages, ...answers];
    const done = runs.after({ ...state, messages, response: response.kept }, ids);
    if (runs.paused) return paused(done);
    return {
      state: { ...done, status: "finished" },
      end: { reason: "structured", structuredResponse: response.value, ...finish },
    };
  }

  const retries = state.retries + 1;
  const end = failure ?? (retries > setup.maxRetries ? { error } : undefined);
  // Providers reject an assistant message without content.
  const kept = message.content.length > 0 ? state.messages : state.messages.slice(0, -1);
  const answered = runs.after({ ...state, messages: [...kept, ...answers] }, ids);
  if (end === undefined && error !== undefined) {
    yield { type: "structured_error", error, problem: eventProblem(error), retry: retries };
  }
  yield* messageEvents(answers);
  if (end === undefined) {
    const retrying = { ...answered, retries };
    return runs.paused ? paused(retrying) : { state: retrying };
  }
  throw isInstance(end.error, AgentError) ? end.error.withState(answered) : end.error;
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
  const state = runs.after({ ...before, messages: [...before.messages, ...answers] }, ids);
  if (runs.paused) return paused(state);
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
