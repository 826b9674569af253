import type { MessageChunk } from "../../messages/chunk.js";
import { hasFields } from "../../messages/merge/merge-fields.js";
import { excerpt } from "../../text/excerpt.js";
import { ModelError } from "../contract/errors.js";
import { nonEmptyText } from "../loose.js";

/**
 * Returns the function that yields the chunks of an answer. An answer that the provider ended with an error ends with a
 * `ModelError`, after the content that arrived with it. Its finish reason is not yielded: it would complete the calls, and
 * their tools would run. Nothing is yielded for a failed answer without content, so that it is requested again.
 */
export function answerOutput(
  emit: (chunk: MessageChunk) => void,
): (chunk: MessageChunk | undefined, failure?: ModelError) => void {
  let begun = false;
  return (chunk, failure) => {
    const error = failure ?? (chunk?.finishReason === "error" ? failedAnswer(chunk) : undefined);
    const output = error === undefined ? chunk : chunk && withoutEnd(chunk);
    if (
      output !== undefined &&
      (error === undefined || output.content.length > 0 || (begun && hasFields(output)))
    ) {
      begun = true;
      emit(output);
    }
    if (error !== undefined) throw error;
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
  });
}

/**
 * A finish reason of Gemini. All others are failures of a server, or of the model, which may write something else next
 * time.
 */
const faultOfRequest = "missing_thought_signature";
