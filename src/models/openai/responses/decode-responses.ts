import type { MessageChunk } from "../../../messages/chunk.js";
import type { Operator } from "../../../stream/operator.js";
import { decoderStage, type DecoderWire } from "../../wire/decoder-stage.js";
import { eventPayloads } from "../../wire/payload.js";
import { ResponsesDecoder } from "./responses-decoder.js";
import type { endMarker, SseEvent } from "../../wire/sse.js";

/**
 * Decodes the stream of OpenAI's Responses API to message chunks. Accepts the events of `decodeSse()`, parsed events,
 * or the stream of the official SDK. Ends with the last event of the response.
 *
 * An event yields at most one chunk, and none if it adds nothing. Each part of a text or reasoning summary is a block,
 * and so is every call. Calls of tools that OpenAI runs become `server_tool_call` and `server_tool_result`. Unknown
 * items become `non_standard`. The `metadata` of a block contains the fields needed to send it back in the next
 * request.
 *
 * @throws {ModelError} `provider` for a failed response; `protocol` for an item that is not an event of a response, or
 *   a stream without an answer; `cut` if the stream ends before the last event of the response
 *
 * @example
 * ```ts
 * import { from, mergeChunks, last, pipe, textOf } from "millrace";
 * import { decodeSse } from "millrace/models";
 * import { decodeOpenAIResponses } from "millrace/openai";
 *
 * const wire = [
 *   'data: {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "Hel"}\n\n',
 *   'data: {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "lo"}\n\n',
 *   'data: {"type": "response.completed", "response": {"id": "resp_1", "status": "completed"}}\n\n',
 * ];
 * const message = await last(pipe(from(wire), decodeSse(), decodeOpenAIResponses(), mergeChunks()));
 * console.log(message && textOf(message)); // "Hello"
 * ```
 */
export function decodeOpenAIResponses(): Operator<OpenAIResponsesPayload, MessageChunk> {
  return responsesStage();
}

export function responsesStage(onEnd?: () => void): Operator<OpenAIResponsesPayload, MessageChunk> {
  return decoderStage(responsesWire, onEnd);
}

const responsesWire: DecoderWire = {
  payloads: eventPayloads("an event of a response"),
  create: (draft) => new ResponsesDecoder(draft),
  lacking: "no event had any content",
  missing: "without its last event",
  marker: true,
};

/**
 * The input of `decodeOpenAIResponses`: a parsed event of the Responses API, as yielded by the stream of the official
 * SDK, a server-sent event with one as its data, or the end marker, which some servers add.
 */
export type OpenAIResponsesPayload = OpenAIResponsesEvent | SseEvent | typeof endMarker;

/** One parsed event of a Responses stream. The other fields depend on its type. */
export interface OpenAIResponsesEvent {
  readonly type: string;
}
