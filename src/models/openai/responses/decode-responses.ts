import type { MessageChunk } from "../../../messages/chunk.js";
import type { Operator } from "../../../stream/operator.js";
import { messageDecoderStage } from "../../wire/decoder-stage.js";
import { ResponsesDecoder } from "./responses-decoder.js";
import type { endMarker } from "../../wire/payload.js";
import type { SseEvent } from "../../wire/sse.js";

/**
 * The stream of OpenAI's Responses API as message chunks. Takes the events of `decodeSse()`, parsed events, or the stream
 * of the official SDK. Ends with the event that ends the response.
 *
 * An event gives at most one chunk, and none if it says nothing new. Each part of a text or of a reasoning summary is a
 * block, and each call. The calls of tools that OpenAI runs are `server_tool_call`s with a `server_tool_result`; items
 * that have no block here come as `non_standard`. What a block has in its `metadata` takes it back to the model, when the
 * message is part of the next request.
 *
 * @throws {ModelError} `provider` for a response that fails; `protocol` for what is no event of a response, or a stream
 *   without an answer; `cut` if it ends without the response's last event
 *
 * @example
 * ```ts
 * import { decodeSse, from, mergeChunks, last, pipe, textOf } from "millrace";
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
  return messageDecoderStage("an event of a response", () => new ResponsesDecoder(), onEnd);
}

/**
 * What `decodeOpenAIResponses` reads: a parsed event of the Responses API, as the official SDK's stream yields it; a
 * server-sent event that has one as its data; or the end marker, which some servers add.
 */
export type OpenAIResponsesPayload = OpenAIResponsesEvent | SseEvent | typeof endMarker;

/** One parsed event of a stream of the Responses API: its type says what else it has. */
export interface OpenAIResponsesEvent {
  readonly type: string;
}
