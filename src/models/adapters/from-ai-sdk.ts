import type { MessageChunk } from "../../messages/chunk.js";
import { from } from "../../stream/sources/from.js";
import { pipe } from "../../stream/pipe.js";
import { isRecord } from "../loose.js";
import { decoderStage, type DecoderWire } from "../wire/decoder-stage.js";
import { unexpectedError } from "../wire/errors.js";
import { aiSdkDecoder } from "./ai-sdk-decoder.js";

/** A part of the AI SDK's `fullStream`. Fields other than `type` are checked at run time. */
export interface AiSdkPart {
  readonly type: string;
}

/**
 * Converts the `fullStream` of the AI SDK's `streamText()` to message chunks, for use with the parsers and agents of
 * this package. Does not load the SDK. Several steps become one message.
 *
 * Texts, reasoning and tool calls become the corresponding blocks. A call that the provider runs becomes a
 * `server_tool_call` and a `server_tool_result`. Sources become citations of the preceding text. Files become blocks of
 * their media type. Everything else, such as the result of a tool that the SDK ran, becomes `non_standard`.
 * `providerMetadata` becomes the `metadata` of the block. The usage of steps is added up, then replaced by the total.
 *
 * @param stream `result.fullStream`
 *
 * @throws {ModelError} `provider` for an error part, with the SDK's error as the `cause`, and for the finish reason
 *   `error`; `protocol` for an invalid part; `cut` if the stream ends without a `finish` part
 * @throws {DOMException} `AbortError` if the SDK's signal was aborted
 *
 * @example
 * ```ts
 * import { from, last, mergeChunks, pipe, textOf } from "millrace";
 * import { fromAiSdk } from "millrace/models";
 *
 * // In a program: const { fullStream } = streamText({ model, prompt });
 * const fullStream = from([
 *   { type: "text-start", id: "0" },
 *   { type: "text-delta", id: "0", text: "Hello" },
 *   { type: "text-end", id: "0" },
 *   { type: "finish", finishReason: "stop", totalUsage: { inputTokens: 3, outputTokens: 1 } },
 * ]);
 * const message = await last(pipe(fromAiSdk(fullStream), mergeChunks()));
 * console.log(message && textOf(message), message?.usage); // "Hello" { inputTokens: 3, outputTokens: 1 }
 * ```
 */
export function fromAiSdk(
  stream: AsyncIterable<AiSdkPart> | ReadableStream<AiSdkPart>,
): AsyncIterable<MessageChunk> {
  return pipe(from<AiSdkPart>(stream), decoderStage(aiSdkWire));
}

const aiSdkWire: DecoderWire = {
  create: aiSdkDecoder,
  payloads: () => (part) => {
    if (isRecord(part) && typeof part["type"] === "string") return [part];
    throw unexpectedError("a part of the AI SDK's fullStream", part);
  },
  noEnd: "without its finish part",
};
