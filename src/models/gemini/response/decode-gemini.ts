import type { MessageChunk } from "../../../messages/chunk.js";
import type { Operator } from "../../../stream/operator.js";
import { stage } from "../../../stream/core/stage.js";
import { GeminiDecoder } from "./decoder.js";
import { type GeminiPayload, responsesIn } from "./payload.js";

/**
 * The stream of Gemini's `streamGenerateContent` as message chunks. Takes the events of `decodeSse()`, parsed responses,
 * or the stream of the official SDK. Reads the first candidate.
 *
 * A response gives at most one chunk, and none if it says nothing new. Texts in a row are one block, thoughts in a row
 * another (`reasoning`), and each function call one; signatures are in the `metadata` of the block that had them.
 * Arguments that come as `partialArgs` become JSON text that grows. What Gemini says of its sources is added to the text
 * blocks as citations when the text is whole. A part that has no block of ours comes as `non_standard`.
 *
 * @throws {ModelError} `provider` for an error inside the stream; `protocol` for what is no response of Gemini; `cut` if
 *   it ends without a finish reason, which is how Gemini's streams end: there is no end marker
 *
 * @example
 * ```ts
 * import { decodeSse, from, mergeChunks, last, pipe, textOf } from "millrace";
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
  return stage((emit) => {
    const decoder = new GeminiDecoder();
    return {
      next: (item) => {
        for (const response of responsesIn(item)) {
          const chunk = decoder.read(response);
          if (chunk !== undefined) emit(chunk);
        }
      },
      end: () => {
        decoder.end();
      },
    };
  });
}
