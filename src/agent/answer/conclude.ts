import type { MessageChunk } from "../../messages/chunk.js";
import type { FinishedCall } from "../../messages/blocks/read.js";
import type { AssistantMessage, Message } from "../../messages/message.js";
import { compose } from "../../stream/compose.js";
import { stage } from "../../stream/core/stage.js";
import type { Operator } from "../../stream/operator.js";
import { AgentError } from "../errors.js";
import type { AgentEvent, StructuredEvent } from "../events.js";
import type { AgentState } from "../state.js";
import { type CallEnded, type EndedAnswer, reading } from "./answer-reader.js";
import { confirmResponse, correctResponse } from "./correction.js";
import type { AnswerRequest } from "./request.js";
import type { ResponseReader } from "./response-reader.js";
import { type ValidResponse, validateResponse } from "./validate-response.js";

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

/** The meaning of an answer for a run. `capture()` shows it as an `AnswerEvent`. */
export interface Conclusion extends AnswerEvent {
  /** A valid response: as the model wrote it, and what its schema returned. */
  readonly response?: { readonly kept: NonNullable<AgentState["response"]>; readonly value: unknown };
  /** The error of an invalid response that `handleError` does not handle. It ends the run. */
  readonly failure?: { readonly error: unknown };
}

/** An item of `answering()`. The last one is the conclusion. */
export type AnswerItem = AgentEvent | CallEnded | Conclusion;

/**
 * The operator of `capture()`, and of each step of an agent. An *answer* is all that the model writes in one call; the
 * *response* is the structured value in it, as text or as the call of a tool that stands for it.
 *
 * The chunks `{"city": "Oslo"` and `}`, with a schema of cities, give:
 *
 * ```text
 * reading()        structured_patch …                    `ResponseReader` reads the response while it grows
 *                  captured: message, calls, response    at the end
 * concluding       validateResponse()                    the whole value, by its schema
 *                  structured: {city: "Oslo"}            or structured_reset, if it was shown and is invalid
 *                  answer: kind "response"               the conclusion
 * ```
 *
 * @param request called at the first chunk
 * @param taken the ids of earlier calls of the conversation
 * @param prefix begins the ids of calls without one
 */
export function answering(
  request: () => AnswerRequest,
  taken: ReadonlySet<string> = new Set(),
  prefix?: string,
): Operator<MessageChunk, AnswerItem> {
  return compose(reading(request, taken, prefix), concluding);
}

const concluding: Operator<AgentEvent | CallEnded | EndedAnswer, AnswerItem> = stage((emit) => {
  let ended: EndedAnswer | undefined;
  return {
    next: (item) => {
      if (item.type === "answer_ended") ended = item;
      else emit(item);
    },
    end: () => ended && conclude(ended, emit),
  };
});

/** Decides at once about an answer that needs no validation. */
function conclude(ended: EndedAnswer, emit: (item: AnswerItem) => void): void | Promise<void> {
  const { message, calls, reader } = ended;
  const kind = kindWithoutResponse(ended);
  if (reader === undefined || kind !== undefined) {
    if (reader?.shown === true) emit({ type: "structured_reset" });
    emit({ type: "answer", kind: kind ?? "text", message, calls, followUp: [] });
    return undefined;
  }
  return concludeResponse({ message, calls }, reader, emit);
}

async function concludeResponse(
  answer: Pick<AnswerEvent, "message" | "calls">,
  reader: ResponseReader,
  emit: (item: AnswerItem) => void,
): Promise<void> {
  const result = await validateResponse(answer.message, reader);
  const common = { type: "answer", kind: result.kind, ...answer } as const;
  if (result.kind === "response") {
    const { name, value, written } = result;
    emit(structuredEvent(result, reader));
    const followUp = confirmResponse(reader, written);
    emit({ ...common, followUp, response: { kept: { name, value: written }, value } });
    return;
  }
  if (reader.shown) emit({ type: "structured_reset" });
  const { messages, failure } = await correctResponse(reader, result.error);
  emit({ ...common, followUp: messages, error: result.error, ...(failure !== undefined && { failure }) });
}

/**
 * The meaning of an answer that has no structured response to validate; `undefined` if it should have one.
 *
 * - `tool_calls`: the model called tools and waits for their results
 * - `pause`: the model continues when its message is sent back
 * - `text`: the final answer of an agent without a response format
 *
 * @throws {AgentError} `empty` if the stream had no content, finish reason or refusal
 */
function kindWithoutResponse({
  message: { content, finishReason, refusal },
  calls,
  reader,
}: EndedAnswer): "tool_calls" | "pause" | "text" | undefined {
  if (content.length === 0 && finishReason === undefined && refusal === undefined) {
    throw new AgentError(
      "empty",
      "The model's stream ended without content and finish reason. Retry the call, or check the connection.",
    );
  }
  if (reader !== undefined && reader.calls.length > 0) return undefined;
  // Text next to tool calls is not the answer yet. Without tools, they are calls of tools that there are not.
  if (calls.length > 0 && reader?.hasTools !== false) return "tool_calls";
  if (finishReason === "pause") return "pause";
  return reader === undefined ? "text" : undefined;
}

/** The event of a valid response, with the coercions that were made while it streamed, and at its end. */
function structuredEvent(
  { name, value, coercions: atEnd = [] }: ValidResponse,
  { changes }: ResponseReader,
): StructuredEvent {
  const coercions = [...(changes.coercions ?? []), ...atEnd];
  return {
    ...{ type: "structured", value, name },
    ...changes,
    ...(coercions.length > 0 && { coercions }),
  };
}
