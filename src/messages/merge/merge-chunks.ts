import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import type { MessageChunk } from "../chunk.js";
import { MessageBuilder } from "./message-builder.js";
import type { AssistantMessage } from "../message.js";

/**
 * The message as it grows: one snapshot for each chunk. Snapshots are immutable and share what has not changed. A chunk
 * costs O(1) and the number of blocks, so the whole stream is linear in its length.
 *
 * A tool call is a `tool_call_chunk` with its arguments so far (`args` as text, `snapshot` parsed, by one `JsonParser`
 * per call) while the model writes it. It becomes a `tool_call` when its object is closed and the model has gone on to
 * the next block or has given a finish reason. What cannot be run when the stream ends is an `invalid_tool_call` with
 * the raw text and the reason; if that changes the message after the last chunk, one more snapshot says so. So the last
 * snapshot is always the finished message.
 *
 * @example
 * ```ts
 * import { mergeChunks, pipe, textOf } from "millrace";
 * import { scriptedModel } from "millrace/testing";
 *
 * const model = scriptedModel(["Hel", "lo"]);
 * for await (const message of pipe(model.stream("Greet me."), mergeChunks())) {
 *   console.log(textOf(message), message.finishReason); // "Hel", "Hello", "Hello" with "stop"
 * }
 * ```
 */
export function mergeChunks(): Operator<MessageChunk, AssistantMessage> {
  return stage((emit) => {
    const builder = new MessageBuilder();
    return {
      next: (chunk) => {
        builder.add(chunk);
        emit(builder.snapshot());
      },
      end: () => {
        if (builder.end()) emit(builder.snapshot());
      },
    };
  });
}

/** The message as far as a merged chunk says it: calls that have not ended are still being written. */
export function messageSoFar(chunk: MessageChunk): AssistantMessage {
  const builder = new MessageBuilder();
  builder.add(chunk);
  return builder.snapshot();
}

/** The finished message that a merged chunk, or any number of them in order, adds up to. */
export function toAssistantMessage(...chunks: readonly MessageChunk[]): AssistantMessage {
  const builder = new MessageBuilder();
  for (const chunk of chunks) builder.add(chunk);
  builder.end();
  return builder.snapshot();
}
