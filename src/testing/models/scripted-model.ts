import type { MessageChunk } from "../../messages/chunk.js";
import { from } from "../../stream/sources/from.js";
import type { Operator } from "../../stream/operator.js";
import { pipe } from "../../stream/pipe.js";
import { stage } from "../../stream/core/stage.js";
import { excerpt } from "../../text/excerpt.js";
import {
  recordingModel,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "./recording-model.js";

/**
 * Creates a model that answers with scripted chunks, for tests and examples without a network. A string is a chunk of
 * text. If the script has no finish reason, a last chunk is added with `tool_calls` if there were tool calls, otherwise
 * `stop`.
 *
 * @param script the chunks of each answer, or a function that returns the chunks of one answer. Use a function for
 *   answers that differ, take time (an async iterable) or fail (a throw)
 *
 * @example
 * ```ts
 * import { collect } from "millrace";
 * import { scriptedModel } from "millrace/testing";
 *
 * const model = scriptedModel(["Hel", "lo"]);
 * console.log((await collect(model.stream("Greet me."))).length); // 3
 * console.log(model.calls[0]?.messages[0]?.role); // "user"
 * ```
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  return recordingModel("scripted", options, (call) =>
    pipe(from(typeof script === "function" ? script(call) : script), play()),
  );
}

/** The answer of a scripted model: the same for each call, or created for each call. */
export type Script =
  | Iterable<ScriptItem>
  | ((call: ScriptedCall) => Iterable<ScriptItem> | AsyncIterable<ScriptItem>);

/** A chunk of the answer; a string is a chunk of text. */
export type ScriptItem = string | MessageChunk;

function play(): Operator<ScriptItem, MessageChunk> {
  return stage((emit) => {
    let finished = false;
    let calls = false;
    return {
      next: (item) => {
        const chunk = chunkOf(item);
        finished ||= chunk.finishReason !== undefined;
        calls ||= chunk.content.some(({ type }) => type === "tool_call_chunk" || type === "tool_call");
        emit(chunk);
      },
      end: () => {
        if (!finished) emit({ content: [], finishReason: calls ? "tool_calls" : "stop" });
      },
    };
  });
}

function chunkOf(item: ScriptItem): MessageChunk {
  if (typeof item === "string") return { content: [{ type: "text", text: item }] };
  if (Array.isArray((item as Partial<MessageChunk> | undefined)?.content)) return item;
  throw new TypeError(
    `Expected each item of the script to be a string or a chunk with content, but got ${excerpt(item, 80)}.`,
  );
}
