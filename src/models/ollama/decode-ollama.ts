import type { JsonValue } from "../../json/value.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { Operator } from "../../stream/operator.js";
import { decoderStage, type DecoderWire } from "../wire/decoder-stage.js";
import { eventPayloads } from "../wire/payload.js";
import { OllamaDecoder } from "./ollama-decoder.js";
import type { OllamaPayload } from "./payload.js";

/**
 * Converts a stream of Ollama's `/api/chat` to message chunks. Accepts the values of `decodeNdjson()` or a stream of
 * the official SDK. Stops at the line with `done: true`.
 *
 * Each line yields at most one chunk. Consecutive texts form one block, consecutive thoughts another (`reasoning`), and
 * each tool call its own block, which arrives whole. The `metadata` of the last chunk has Ollama's durations in
 * nanoseconds.
 *
 * @throws {ModelError} `provider` for an error inside the stream; `protocol` for an invalid line; `cut` without `done`
 *   at the end
 *
 * @example
 * ```ts
 * import { from, mergeChunks, last, pipe, textOf } from "millrace";
 * import { decodeNdjson } from "millrace/models";
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
  return decoderStage(ollamaWire, onEnd);
}

const ollamaWire: DecoderWire = {
  payloads: eventPayloads("a line of a chat"),
  create: (draft) => new OllamaDecoder(draft),
  lacking: "no line had a message",
  missing: "before it was done",
};
