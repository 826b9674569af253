import type { MessageChunk } from "../../../messages/chunk.js";
import type { Operator } from "../../../stream/operator.js";
import { messageDecoderStage } from "../../wire/decoder-stage.js";
import { MessagesDecoder } from "./messages-decoder.js";
import type { AnthropicPayload } from "./payload.js";

/**
 * The stream of Anthropic's Messages as message chunks. Takes the events of `decodeSse()`, parsed events, or a stream of
 * the official SDK, beta or not.
 *
 * An event gives at most one chunk, and none if it says nothing new. Thinking is `reasoning`, with its signature in the
 * block's metadata; calls of server tools and their results are `server_tool_call_chunk` and `server_tool_result`; a
 * block that has none of ours is `non_standard`. The message so decoded can go back to Anthropic as it was.
 *
 * It reads on after a message has stopped: what follows it becomes part of the same message, and the usage of both is
 * added up.
 *
 * @throws {ModelError} `provider` for an error inside the stream; `protocol` for what is no event of Messages; `cut` if
 *   it ends without a stop reason
 *
 * @example
 * ```ts
 * import { decodeSse, from, last, mergeChunks, pipe, textOf } from "millrace";
 * import { decodeAnthropic } from "millrace/anthropic";
 *
 * const wire = [
 *   'data: {"type": "message_start", "message": {"id": "msg_1", "content": []}}\n\n',
 *   'data: {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}\n\n',
 *   'data: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}}\n\n',
 *   'data: {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}\n\n',
 *   'data: {"type": "message_stop"}\n\n',
 * ];
 * const message = await last(pipe(from(wire), decodeSse(), decodeAnthropic(), mergeChunks()));
 * console.log(message && textOf(message), message?.finishReason); // "Hi" "stop"
 * ```
 */
export function decodeAnthropic(): Operator<AnthropicPayload, MessageChunk> {
  return messageDecoderStage(kind, () => new MessagesDecoder());
}

/** The first message alone: an answer to a request has no other. */
export function decodeAnswer(ended: () => void): Operator<AnthropicPayload, MessageChunk> {
  return messageDecoderStage(kind, () => new MessagesDecoder({ first: true }), ended);
}

const kind = "an event of Anthropic's Messages";
