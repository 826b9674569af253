import type { MessageChunk } from "../../messages/chunk.js";
import { from } from "../../stream/sources/from.js";
import { pipe } from "../../stream/pipe.js";
import { isRecord } from "../loose.js";
import { decoderStage, type DecoderWire } from "../wire/decoder-stage.js";
import { unexpectedError } from "../wire/errors.js";
import { langChainDecoder } from "./langchain-decoder.js";

/** An `AIMessageChunk` or `AIMessage` of LangChain.js. Fields other than `content` are checked at run time. */
export interface LangChainChunk {
  readonly content: unknown;
}

/**
 * Converts the stream of a LangChain.js chat model, `await model.stream(…)`, to message chunks, for use with the
 * parsers and agents of this package. Does not load LangChain.
 *
 * Reads `content` as text or blocks (LangChain's standard blocks, and OpenAI's and Anthropic's that its packages pass
 * through), `tool_call_chunks` or complete `tool_calls`, `usage_metadata`, which is added up, the finish reason and
 * model of `response_metadata`, and `additional_kwargs.reasoning_content`. Everything else becomes `non_standard`
 * blocks or metadata.
 *
 * Calls that share an index but have different ids stay separate. Repeated names and ids are dropped. Arguments are
 * joined in linear time.
 *
 * @throws {ModelError} `provider` for an answer that its provider ended with an error; `protocol` for an item that is not
 *   a LangChain message
 *
 * @example
 * ```ts
 * import { from, last, mergeChunks, pipe, toolCallsOf } from "millrace";
 * import { fromLangChain } from "millrace/models";
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
  return pipe(from<LangChainChunk>(stream), decoderStage(langChainWire));
}

export const langChainWire: DecoderWire = {
  create: langChainDecoder,
  payloads: () => (item) => {
    if (isRecord(item) && "content" in item) return [item];
    throw unexpectedError("an AIMessageChunk of LangChain.js", item);
  },
};
