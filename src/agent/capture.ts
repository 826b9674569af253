import { fieldOf } from "../text/thrown.js";
import type { AgentOptions } from "./agent-options.js";
import type { MessageChunk } from "../messages/chunk.js";
import type { ChatModel } from "../models/contract/chat-model.js";
import { checkLocale } from "../schema/coerce/check-locale.js";
import { compose } from "../stream/compose.js";
import { stage } from "../stream/core/stage.js";
import { checkOptions, type OptionNames, checkArgument } from "../text/check-options.js";
import { checkTools } from "./tools/check-tools.js";
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
import type { CallEnded } from "./answer/answer-reader.js";
import { type AnswerEvent, answering, type AnswerItem } from "./answer/conclude.js";
import { Planner } from "./answer/plan.js";
import { answerRequest, type RequestOptions } from "./answer/request.js";
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
 * import { capture } from "millrace/agent";
 * import { applyPatch } from "millrace/json";
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
  const { model, tools = [], responseFormat, locale } = options;
  checkArgument("capture()", "a model with a profile", fieldOf(model, "profile") !== undefined, model);
  checkTools(tools);
  checkLocale(locale);
  const request = answerRequest(new Planner(options), { model, tools, responseFormat });
  const { callOptions, plan } = request;
  const operator = compose(
    answering(() => request),
    showing,
  );
  // The schemas guarantee the types of the events.
  return Object.assign(operator, { callOptions, instructions: plan?.instructions }) as never;
}

const showing = stage<AnswerItem, unknown>((emit) => ({
  next: (item) => {
    if (item.type !== "answer") {
      emit(item);
      return;
    }
    const { failure, response: _response, ...answer } = item;
    if (failure !== undefined) throw failure.error;
    emit(answer);
  },
}));
