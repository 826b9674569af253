import type { MessageChunk } from "../../../messages/chunk.js";
import type { Operator } from "../../../stream/operator.js";
import { decoderStage, type DecoderWire } from "../../wire/decoder-stage.js";
import { eventPayloads } from "../../wire/payload.js";
import { AnthropicDecoder, lacking } from "./anthropic-decoder.js";
import type { AnthropicPayload } from "./payload.js";

/**
 * Converts a stream of Anthropic's Messages API to message chunks. Accepts the events of `decodeSse()`, parsed events,
 * or a stream of the official SDK, including its beta API.
 *
 * Each event yields at most one chunk. Thinking becomes `reasoning` with its signature in the block's metadata. Calls
 * of server tools and their results become `server_tool_call_chunk` and `server_tool_result`. Blocks without a
 * counterpart become `non_standard`. The decoded message can be sent back to Anthropic.
 *
 * Events after the end of a message become part of the same message, and their usage is added.
 *
 * @throws {ModelError} `provider` for an error inside the stream; `protocol` for an invalid event; `cut` without a stop
 *   reason at the end
 *
 * @example
 * ```ts
 * import { from, last, mergeChunks, pipe, textOf } from "millrace";
 * import { decodeSse } from "millrace/models";
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
  return decoderStage(wire(false));
}

/** Decodes only the first message: the response to a request has no other. */
export function decodeAnswer(ended: () => void): Operator<AnthropicPayload, MessageChunk> {
  return decoderStage(wire(true), ended);
}

function wire(first: boolean): DecoderWire {
  return {
    payloads: eventPayloads("an event of Anthropic's Messages"),
    create: (draft) => new AnthropicDecoder(draft, first),
    lacking,
    missing: "without a stop reason",
  };
}
