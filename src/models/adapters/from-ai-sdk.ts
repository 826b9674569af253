import type { MessageChunk } from "../../messages/chunk.js";
import { from } from "../../stream/sources/from.js";
import { pipe } from "../../stream/pipe.js";
import { stage } from "../../stream/core/stage.js";
import { AiSdkDecoder } from "./ai-sdk-decoder.js";

/** What is known of a part of the AI SDK's `fullStream`; all else is looked at when it comes. */
export interface AiSdkPart {
  readonly type: string;
}

/**
 * The `fullStream` of the AI SDK's `streamText()` as message chunks, so that its models feed the parsers and agents of
 * this package. Nothing of the SDK is loaded. Several steps are one message, one after the other.
 *
 * Texts, thoughts and tool calls keep their blocks; a call that the provider runs is a `server_tool_call`, and what it
 * gives a `server_tool_result`; sources are citations of the text before them; files are blocks of their medium. What has
 * no block of ours, such as the result of a tool that the SDK itself has run, is `non_standard`. `providerMetadata` is the
 * `metadata` of its block. The usage of the steps is added, and the total at the end takes its place.
 *
 * @param stream `result.fullStream`
 *
 * @throws {ModelError} `provider` for an error part, with the SDK's error as the `cause`; `protocol` for what is no part;
 *   `cut` if the stream ends without its `finish`
 * @throws {DOMException} `AbortError`, if the SDK's own signal was aborted
 *
 * @example
 * ```ts
 * import { from, fromAiSdk, last, mergeChunks, pipe, textOf } from "millrace";
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
  return pipe(
    from<AiSdkPart>(stream),
    stage<AiSdkPart, MessageChunk>((emit) => {
      const decoder = new AiSdkDecoder();
      return {
        next: (part) => {
          const chunk = decoder.read(part);
          if (chunk !== undefined) emit(chunk);
        },
        end: () => {
          decoder.end();
        },
      };
    }),
  );
}
