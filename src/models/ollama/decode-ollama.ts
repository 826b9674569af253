import type { JsonValue } from "../../json/value.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { Operator } from "../../stream/operator.js";
import { messageDecoderStage } from "../wire/decoder-stage.js";
import { OllamaDecoder } from "./ollama-decoder.js";
import type { OllamaPayload } from "./payload.js";

/**
 * The stream of Ollama's `/api/chat` as message chunks. Takes the values of `decodeNdjson()`, or the stream of the official
 * SDK. Stops at the line with `done: true`.
 *
 * A line gives at most one chunk, and none if it says nothing new. Texts in a row are one block, thoughts in a row
 * another (`reasoning`), and each tool call one, which comes whole. How long it all took is in the `metadata` of the last
 * chunk, in nanoseconds, as Ollama says it.
 *
 * @throws {ModelError} `provider` for an error inside the stream; `protocol` for what is no line of a chat; `cut` if it
 *   ends without `done`
 *
 * @example
 * ```ts
 * import { decodeNdjson, from, mergeChunks, last, pipe, textOf } from "millrace";
 * import { decodeOllama } from "millrace/ollama";
 *
 * const wire = ['{"message": {"content": "Hel"}}\n', '{"message": {"content": "lo"}}\n', '{"done": true}\n'];
 * const message = await last(pipe(from(wire), decodeNdjson(), decodeOllama(), mergeChunks()));
 * console.log(message && textOf(message)); // "Hello"
 * ```
 */
export function decodeOllama(): Operator<OllamaPayload | JsonValue, MessageChunk> {
  return ollamaStage();
}

export function ollamaStage(onEnd?: () => void): Operator<OllamaPayload | JsonValue, MessageChunk> {
  return messageDecoderStage("a line of a chat", () => new OllamaDecoder(), onEnd);
}
