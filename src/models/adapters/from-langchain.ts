import type { MessageChunk } from "../../messages/chunk.js";
import { from } from "../../stream/sources/from.js";
import { pipe } from "../../stream/pipe.js";
import { stage } from "../../stream/core/stage.js";
import { LangChainDecoder } from "./langchain-decoder.js";

/** What is known of LangChain.js's `AIMessageChunk`, or `AIMessage`; all else is looked at when it comes. */
export interface LangChainChunk {
  readonly content: unknown;
}

/**
 * The stream of a LangChain.js chat model, `await model.stream(…)`, as message chunks, so that its models feed the parsers
 * and agents of this package. Nothing of LangChain is loaded.
 *
 * Reads `content` as a text or as blocks (LangChain's standard ones, and those of OpenAI and Anthropic that its packages
 * hand on), `tool_call_chunks` or whole `tool_calls`, `usage_metadata`, which is added up, the finish reason and model of
 * `response_metadata`, and `additional_kwargs.reasoning_content`. What has no place in a message of ours is `non_standard`
 * or metadata.
 *
 * Calls are read as servers write them: two that share an index but not an id are two, a name or an id that is repeated
 * is said once, and arguments that are cut anywhere are put together in linear time.
 *
 * @throws {ModelError} `protocol` for what is no message of LangChain's
 *
 * @example
 * ```ts
 * import { from, fromLangChain, last, mergeChunks, pipe, toolCallsOf } from "millrace";
 *
 * // In a program: const stream = await model.stream("How warm is it?");
 * const stream = from([
 *   { content: "", tool_call_chunks: [{ index: 0, id: "call_1", name: "temperature", args: '{"city":' }] },
 *   { content: "", tool_call_chunks: [{ index: 0, args: ' "Oslo"}' }] },
 *   { content: "", usage_metadata: { input_tokens: 9, output_tokens: 5, total_tokens: 14 } },
 * ]);
 * const message = await last(pipe(fromLangChain(stream), mergeChunks()));
 * console.log(message && toolCallsOf(message)); // [{ id: "call_1", name: "temperature", args: { city: "Oslo" } }]
 * ```
 */
export function fromLangChain(
  stream: AsyncIterable<LangChainChunk> | ReadableStream<LangChainChunk>,
): AsyncIterable<MessageChunk> {
  return pipe(
    from<LangChainChunk>(stream),
    stage<LangChainChunk, MessageChunk>((emit) => {
      const decoder = new LangChainDecoder();
      return {
        next: (item) => {
          const chunk = decoder.read(item);
          if (chunk !== undefined) emit(chunk);
        },
      };
    }),
  );
}
