import type { MessageChunk } from "../../../messages/chunk.js";
import type { Operator } from "../../../stream/operator.js";
import { decoderStage, type DecoderWire } from "../../wire/decoder-stage.js";
import { GeminiDecoder } from "./gemini-decoder.js";
import { type GeminiPayload, responsesIn } from "./payload.js";

/**
 * Converts a stream of Gemini's `streamGenerateContent` to message chunks. Accepts the events of `decodeSse()`, parsed
 * responses, or a stream of the official SDK. Reads the first candidate.
 *
 * Each response yields at most one chunk. Consecutive texts form one block, consecutive thoughts another (`reasoning`),
 * and each function call its own. Signatures are in the `metadata` of their block. Arguments sent as `partialArgs`
 * become growing JSON text. Sources become citations of the text blocks once the text is complete; those that arrive
 * after the finish reason are in a last chunk. A part without a counterpart becomes `non_standard`.
 *
 * @throws {ModelError} `provider` for an error inside the stream, or a finish reason such as `MALFORMED_FUNCTION_CALL`; `protocol` for an invalid response; `cut` without a
 *   finish reason at the end (Gemini sends no end marker)
 *
 * @example
 * ```ts
 * import { from, mergeChunks, last, pipe, textOf } from "millrace";
 * import { decodeSse } from "millrace/models";
 * import { decodeGemini } from "millrace/gemini";
 *
 * const wire = [
 *   'data: {"candidates": [{"content": {"parts": [{"text": "Hel"}]}}]}\n\n',
 *   'data: {"candidates": [{"content": {"parts": [{"text": "lo"}]}, "finishReason": "STOP"}]}\n\n',
 * ];
 * const message = await last(pipe(from(wire), decodeSse(), decodeGemini(), mergeChunks()));
 * console.log(message && textOf(message)); // "Hello"
 * ```
 */
export function decodeGemini(): Operator<GeminiPayload, MessageChunk> {
  return decoderStage(geminiWire);
}

/** Gemini sends no end marker. */
const geminiWire: DecoderWire = {
  create: (draft) => new GeminiDecoder(draft),
  payloads: () => responsesIn,
  lacking: "no response had a candidate",
  missing: "without a finish reason",
};
