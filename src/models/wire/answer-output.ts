import type { MessageChunk } from "../../messages/chunk.js";
import { hasFields } from "../../messages/merge/merge-fields.js";
import { excerpt } from "../../text/excerpt.js";
import { ModelError } from "../contract/errors.js";
import { nonEmptyText } from "../loose.js";

/**
 * Returns the function that yields the chunks of an answer. A chunk of an answer that has failed comes without its
 * finish reason, which would complete the calls, and their tools would run. Nothing is yielded for a failed answer
 * without content, so that it is requested again.
 *
 * @throws {ModelError} after the chunk, for an answer that the provider ended with an error
 */
export function answerOutput(
  emit: (chunk: MessageChunk) => void,
): (chunk: MessageChunk | undefined, failed?: boolean) => void {
  let begun = false;
  return (chunk, failed = false) => {
    if (chunk === undefined) return;
    const error = chunk.finishReason === "error" ? failedAnswer(chunk) : undefined;
    const fails = failed || error !== undefined;
    const output = fails ? withoutEnd(chunk) : chunk;
    if (!fails || output.content.length > 0 || (begun && hasFields(output))) {
      begun = true;
      emit(output);
    }
    if (!failed && error !== undefined) throw error;
  };
}

function withoutEnd({ finishReason: _, providerFinishReason: __, ...chunk }: MessageChunk): MessageChunk {
  return chunk;
}

function failedAnswer({ providerFinishReason: word = "error", metadata }: MessageChunk): ModelError {
  const why = nonEmptyText(metadata?.["finishMessage"]); // Gemini
  const problem = `The provider ended the answer with the finish reason ${excerpt(word)}${why === undefined ? "." : `: ${excerpt(why)}`}`;
  return new ModelError("provider", problem, {
    providerCode: excerpt(word),
    retryable: word.toLowerCase() !== faultOfRequest,
    cause: { finishReason: word },
  });
}

/**
 * A finish reason of Gemini. All others are failures of a server, or of the model, which may write something else next
 * time.
 */
const faultOfRequest = "missing_thought_signature";
