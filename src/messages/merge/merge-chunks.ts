import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import type { MessageChunk } from "../chunk.js";
import { MessageBuilder } from "./message-builder.js";
import type { AssistantMessage } from "../message.js";

/**
 * Yields the growing assistant message: one snapshot per chunk. Snapshots are immutable and share unchanged parts. A
 * stream costs time linear in its length. A message may have 10,000 blocks.
 *
 * While the model writes a tool call, it is a `tool_call_chunk` with its arguments so far: `args` as text, `snapshot`
 * parsed, with one `JsonParser` per call. It becomes a `tool_call` once its object is closed and the model starts the
 * next block or sends a finish reason. A call that cannot be run at the end of the stream becomes an
 * `invalid_tool_call` with the raw text and the reason. If this changes the message after the last chunk, one more
 * snapshot follows, so the last snapshot is always the finished message.
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

/** The message that the chunks add up to so far. Incomplete calls stay `tool_call_chunk` blocks. */
export function messageSoFar(chunks: readonly MessageChunk[]): AssistantMessage {
  return builderOf(chunks).snapshot();
}

/**
 * The finished message that one or more chunks, in order, add up to. Without chunks its content is empty. A call that
 * was cut is an `invalid_tool_call`.
 *
 * @throws {MessageError} `invalid_chunk` or `too_many_blocks`
 *
 * @example
 * ```ts
 * import { collect, textOf, toAssistantMessage } from "millrace";
 * import { scriptedModel } from "millrace/testing";
 *
 * const chunks = await collect(scriptedModel(["Hel", "lo"]).stream("Greet me."));
 * console.log(textOf(toAssistantMessage(...chunks))); // "Hello"
 * ```
 */
export function toAssistantMessage(...chunks: readonly MessageChunk[]): AssistantMessage {
  const builder = builderOf(chunks);
  builder.end();
  return builder.snapshot();
}

function builderOf(chunks: readonly MessageChunk[]): MessageBuilder {
  const builder = new MessageBuilder();
  for (const chunk of chunks) builder.add(chunk);
  return builder;
}
