import type { MessageChunk } from "../../../messages/chunk.js";
import type { Operator } from "../../../stream/operator.js";
import { messageDecoderStage } from "../../wire/decoder-stage.js";
import { ChatDecoder } from "./chat-decoder.js";
import type { endMarker } from "../../wire/payload.js";
import type { SseEvent } from "../../wire/sse.js";

/**
 * The stream of OpenAI's Chat Completions, and of the many servers that speak the same, as message chunks. Takes the
 * events of `decodeSse()`, parsed payloads, or the stream of the official SDK. Reads the first choice.
 *
 * A payload gives at most one chunk, and none if it says nothing new. The text of a message is one block, its reasoning
 * another, its speech a third, and each tool call one. Reasoning is read from `reasoning_content`, `reasoning` and typed
 * content arrays. Parts that have no block here are `non_standard`; what else a server says is `metadata`, under the
 * server's own name. Lists in a delta add up (`metadataDelta`), and so do the likelihoods of tokens: `logprobs`, and
 * `refusal_logprobs`.
 *
 * @throws {ModelError} `provider` for an error inside the stream; `protocol` for what is no chunk of a chat completion,
 *   or a stream without an answer; `cut` if it ends without a finish reason and without `[DONE]`
 *
 * @example
 * ```ts
 * import { decodeSse, from, mergeChunks, last, pipe, textOf } from "millrace";
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
  return messageDecoderStage("a chunk of a chat completion", () => new ChatDecoder(), onEnd);
}

/**
 * What `decodeOpenAIChat` reads: a parsed `chat.completion.chunk`, as the official SDK's stream yields it; a server-sent
 * event that has one as its data; or the end marker. Only what is needed is looked at, and each field may be absent or
 * null.
 */
export type OpenAIChatPayload = OpenAIChatChunk | SseEvent | typeof endMarker;

/** One parsed event of a Chat Completions stream, as far as it is read. */
export interface OpenAIChatChunk {
  readonly id?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly choices?: readonly object[] | null | undefined;
  readonly usage?: object | null | undefined;
  /** In place of all the others, when the provider fails. */
  readonly error?: unknown;
}
