import type { AgentOptions } from "./agent-options.js";
import { checkTools } from "./check-tools.js";
import type { AssistantMessage, Message } from "../messages/message.js";
import type { MessageChunk } from "../messages/chunk.js";
import type { FinishedCall } from "../messages/merge/finished-call.js";
import type { ChatModel } from "../models/contract/chat-model.js";
import { compose } from "../stream/compose.js";
import { stage } from "../stream/core/stage.js";
import type { Operator } from "../stream/operator.js";
import { checkOptions, type OptionNames } from "../text/check-options.js";
import type { AgentError } from "./errors.js";
import type {
  MessageEvent,
  ReasoningEvent,
  StructuredEvent,
  StructuredPatchEvent,
  StructuredResetEvent,
  TextEvent,
  ToolArgsEvent,
  ToolCallEvent,
} from "./events.js";
import { checkNames, requestOptions, type RequestOptions } from "./loop/model-call.js";
import { checkLocale } from "../schema/coerce/check-locale.js";
import { type CallEnded, AnswerCapture, type Captured, modelRequest } from "./answer/answer-capture.js";
import { classifyAnswer, structuredEvent } from "./answer/classify-answer.js";
import { confirmResponse, correctResponse } from "./answer/correction.js";
import { Planner } from "./answer/plan.js";
import type { AgentResponseFormat, StructuredOf } from "./answer/response-format.js";

/** The options of `capture()`. They mean the same as those of `createAgent()`. */
export interface CaptureOptions<
  Format extends AgentResponseFormat | undefined = AgentResponseFormat | undefined,
> extends Pick<
  AgentOptions<Format>,
  "tools" | "responseFormat" | "failFast" | "coerce" | "locale" | "append"
> {
  /** The model that answers. Its profile decides how to ask it. */
  readonly model: ChatModel;
}

// prettier-ignore
const optionNames = {
  model: true, tools: true, responseFormat: true, failFast: true, coerce: true, locale: true, append: true,
} satisfies OptionNames<CaptureOptions>;

/** An event of `capture()`. The last one is `answer`. */
export type CaptureEvent<Structured = unknown> =
  | TextEvent
  | ReasoningEvent
  | ToolCallEvent
  | ToolArgsEvent
  | CallEnded
  | StructuredPatchEvent
  | StructuredResetEvent
  | MessageEvent
  | StructuredEvent<Structured>
  | AnswerEvent;

/** An answer of the model has ended. */
export interface AnswerEvent {
  readonly type: "answer";
  /**
   * - `response`: a valid structured response, in the event `structured` before this one
   * - `text`: the final text of a model without a response format
   * - `tool_calls`: the model waits for the results of its calls
   * - `pause`: the model paused its turn. It continues when the message is sent back
   * - `invalid`: the structured response is missing or invalid. Ask again, with `followUp`
   */
  readonly kind: "response" | "text" | "tool_calls" | "pause" | "invalid";
  readonly message: AssistantMessage;
  /** The calls of tools, without those that are structured responses. Each needs a tool message. */
  readonly calls: readonly FinishedCall[];
  /** Messages for the conversation, after the message and the results of the calls. */
  readonly followUp: readonly Message[];
  /** The mistake in the structured response, for the kind `invalid`. */
  readonly error?: AgentError;
}

/** An operator that captures the structured response, and the options of the model call that requests it. */
export interface CaptureStage<Structured = unknown> {
  (source: AsyncIterable<MessageChunk>): AsyncIterable<CaptureEvent<Structured>>;
  /** For `model.stream(messages, capture.callOptions)`. */
  readonly callOptions: RequestOptions;
  /** With `promptStrategy()`, the system message to send first. The other strategies need none. */
  readonly instructions: string | undefined;
}

/**
 * Captures the structured response of a model's answer while it streams, as an agent does: an operator from message
 * chunks to events. It parses the text or the call that is the response once, validates it, and stops the model when
 * the response can no longer become valid. Calls of other tools are reported when they are complete.
 *
 * @throws {TypeError} for an unknown option
 * @throws {AgentError} `invalid_options` if two tools have the same name, or if the response format is not supported.
 *   The stream ends with an `AgentError` if the answer is empty, or with the error of an invalid response that
 *   `handleError` does not handle
 *
 * @example
 * ```ts
 * import { type JsonValue, pipe } from "millrace";
 * import { applyPatch } from "millrace/json";
 * import { capture } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const model = scriptedModel(['{"city": "Os', 'lo"}']);
 * const place = capture({ model, responseFormat: z.object({ city: z.string() }) });
 * let shown: JsonValue = null;
 * for await (const event of pipe(model.stream("Where?", place.callOptions), place)) {
 *   if (event.type === "structured_patch") console.log((shown = applyPatch(shown, event.patch)));
 *   if (event.type === "structured") console.log("final:", event.value.city);
 * }
 * ```
 *
 * ```text prints
 * { city: 'Os' }
 * { city: 'Oslo' }
 * final: Oslo
 * ```
 */
export function capture<const Format extends AgentResponseFormat | undefined = undefined>(
  options: CaptureOptions<Format>,
): CaptureStage<StructuredOf<Format>> {
  checkOptions("capture()", options, optionNames);
  const {
    model,
    tools = [],
    responseFormat,
    failFast = true,
    coerce = true,
    locale,
    append = false,
  } = options;
  checkTools(tools);
  checkLocale(locale);
  const asked = { model, tools, responseFormat };
  const plan = new Planner({ failFast, append, items: false, coerce, locale }).plan(asked);
  checkNames(plan, tools);
  const operator = (source: AsyncIterable<MessageChunk>): AsyncIterable<unknown> => ({
    [Symbol.asyncIterator]: () => {
      const answer = new AnswerCapture(() => modelRequest(plan, asked));
      const stages = compose(answer.operator as Operator<MessageChunk, CaptureEvent>, concluding(answer));
      return stages(source)[Symbol.asyncIterator]();
    },
  });
  // The schemas guarantee the types of the events.
  return Object.assign(operator, {
    callOptions: requestOptions(model, tools, plan),
    instructions: plan?.instructions,
  }) as never;
}

/** Adds the meaning of the answer, when it has ended. */
function concluding(answer: AnswerCapture): Operator<CaptureEvent, CaptureEvent> {
  return stage((emit, _stop, wait) => ({
    next: emit,
    end: () => {
      const { captured } = answer;
      if (captured !== undefined) wait(conclude(captured, emit));
    },
  }));
}

async function conclude(captured: Captured, emit: (event: CaptureEvent) => void): Promise<void> {
  const { message, calls, response } = captured;
  const answer = await classifyAnswer(captured);
  const { kind } = answer;
  const common = { type: "answer", kind, message, calls } as const;
  if (answer.kind === "response") {
    emit(structuredEvent(answer, captured));
    emit({ ...common, followUp: confirmResponse(captured, answer.written) });
    return;
  }
  if (response.shown) emit({ type: "structured_reset" });
  if (answer.kind !== "invalid") {
    emit({ ...common, followUp: [] });
    return;
  }
  const { error } = answer;
  const { messages, failure } = await correctResponse(captured, error);
  if (failure !== undefined) throw failure.error;
  emit({ ...common, followUp: messages, error });
}
