import type { MessageChunk } from "../messages/chunk.js";
import type { Message } from "../messages/message.js";
import { type MessagesInput, toMessages } from "../messages/to-messages.js";
import type { CallOptions, ChatModel, ModelProfile } from "../models/chat-model.js";
import { abortable } from "../stream/abortable.js";
import { from } from "../stream/from.js";
import type { Operator } from "../stream/operator.js";
import { pipe } from "../stream/pipe.js";
import { stage } from "../stream/stage.js";

/**
 * A model that plays what it is given: for tests and examples without a network. A text is a chunk with that text.
 * Where the script gives no finish reason, a last chunk says `stop`, or `tool_calls` if there were any.
 *
 * @param script the chunks of each answer; or a function that gives the chunks of one, for answers that differ, take
 *   their time (an async iterable) or fail (a throw)
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
  const { provider = "scripted", model = "scripted", profile } = options;
  const calls: ScriptedCall[] = [];
  return {
    provider,
    model,
    profile: { ...ableToAll, ...profile },
    calls,
    stream(input: MessagesInput, callOptions: CallOptions = {}) {
      const { signal } = callOptions;
      return {
        [Symbol.asyncIterator]() {
          const call = { index: calls.length, messages: toMessages(input), options: callOptions };
          calls.push(call);
          const items = typeof script === "function" ? script(call) : script;
          const chunks = pipe(from(items), play());
          return (signal === undefined ? chunks : pipe(chunks, abortable(signal)))[Symbol.asyncIterator]();
        },
      };
    },
  };
}

export const ableToAll: ModelProfile = {
  structuredOutput: true,
  toolCalling: true,
  reasoning: true,
  input: ["text", "image", "audio", "video", "file"],
  output: ["text", "audio"],
};

/** What the model answers, the same for each call or made for it. */
export type Script =
  Iterable<ScriptItem> | ((call: ScriptedCall) => Iterable<ScriptItem> | AsyncIterable<ScriptItem>);

/** A chunk of the answer; a string is a chunk of text. */
export type ScriptItem = string | MessageChunk;

/** The options of `scriptedModel()`. */
export interface ScriptedModelOptions {
  readonly provider?: string;
  readonly model?: string;
  /** Default: it can do all. */
  readonly profile?: Partial<ModelProfile>;
}

/** A model that plays a script, and records how it was called. */
export interface ScriptedModel extends ChatModel {
  /** What it was asked, one for each time that a stream was opened. */
  readonly calls: readonly ScriptedCall[];
}

/** How the model was called. */
export interface ScriptedCall {
  /** From 0. */
  readonly index: number;
  readonly messages: readonly Message[];
  readonly options: CallOptions;
}

function play(): Operator<ScriptItem, MessageChunk> {
  return stage((emit) => {
    let finished = false;
    let calls = false;
    return {
      next: (item) => {
        const chunk: MessageChunk =
          typeof item === "string" ? { content: [{ type: "text", text: item }] } : item;
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
