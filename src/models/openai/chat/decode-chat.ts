import type { MessageChunk } from "../../../messages/chunk.js";
import type { Operator } from "../../../stream/operator.js";
import { decoderStage, type DecoderWire } from "../../wire/decoder-stage.js";
import { eventPayloads } from "../../wire/payload.js";
import { ChatDecoder } from "./chat-decoder.js";
import type { endMarker, SseEvent } from "../../wire/sse.js";

/**
 * Decodes the stream of OpenAI's Chat Completions and of compatible servers to message chunks. Accepts the events of
 * `decodeSse()`, parsed payloads, or the stream of the official SDK. Reads the first choice.
 *
 * A payload yields at most one chunk, and none if it adds nothing. The text, the reasoning and the speech of a message
 * are one block each, and so is every tool call. Reasoning is read from `reasoning_content`, `reasoning` and typed
 * content arrays. Unknown content parts become `non_standard`; unknown fields become `metadata` under the server's own
 * name. Lists in a delta are concatenated (`metadataDelta`), and so are token log probabilities (`logprobs`,
 * `refusal_logprobs`).
 *
 * @throws {ModelError} `provider` for an error in the stream; `protocol` for an item that is not a chunk of a chat
 *   completion, or a stream without an answer; `cut` if the stream ends without a finish reason and without `[DONE]`
 *
 * @example
 * ```ts
 * import { from, mergeChunks, last, pipe, textOf } from "millrace";
 * import { decodeSse } from "millrace/models";
 * import { decodeOpenAIChat } from "millrace/openai";
 *
 * const wire = [
 *   'data: {"choices": [{"index": 0, "delta": {"content": "Hel"}}]}\n\n',
 *   'data: {"choices": [{"index": 0, "delta": {"content": "lo"}, "finish_reason": "stop"}]}\n\n',
 *   "data: [DONE]\n\n",
 * ];
 * const message = await last(pipe(from(wire), decodeSse(), decodeOpenAIChat(), mergeChunks()));
 * console.log(message && textOf(message)); // "Hello"
 * ```
 */
export function decodeOpenAIChat(): Operator<OpenAIChatPayload, MessageChunk> {
  return chatStage();
}

export function chatStage(onEnd?: () => void): Operator<OpenAIChatPayload, MessageChunk> {
  return decoderStage(chatWire, onEnd);
}

const chatWire: DecoderWire = {
  payloads: eventPayloads("a chunk of a chat completion"),
  create: (draft) => new ChatDecoder(draft),
  lacking: "no payload had a choice",
  missing: "without a finish reason",
  marker: true,
};

/**
 * The input of `decodeOpenAIChat`: a parsed `chat.completion.chunk`, as yielded by the stream of the official SDK, a
 * server-sent event with one as its data, or the end marker. Every field may be absent or null.
 */
export type OpenAIChatPayload = OpenAIChatChunk | SseEvent | typeof endMarker;

/** One parsed event of a Chat Completions stream, with the fields that are read. */
export interface OpenAIChatChunk {
  readonly id?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly choices?: readonly object[] | null | undefined;
  readonly usage?: object | null | undefined;
  /** Replaces all other fields if the provider fails. */
  readonly error?: unknown;
}
