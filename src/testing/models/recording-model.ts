import type { MessageChunk } from "../../messages/chunk.js";
import type { Message } from "../../messages/message.js";
import { toMessages } from "../../messages/to-messages.js";
import type { CallOptions, ChatModel, ModelProfile } from "../../models/contract/chat-model.js";
import { abortable } from "../../stream/operators/abortable.js";
import { pipe } from "../../stream/pipe.js";

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

/** The options of `scriptedModel()`. */
export interface ScriptedModelOptions {
  readonly provider?: string;
  readonly model?: string;
  /** Default: it can do all. */
  readonly profile?: Partial<ModelProfile>;
}

/**
 * @param name of the provider and the model, where the options give none
 * @param answer the chunks of an answer, made when the stream is opened. A signal ends them at once
 */
export function recordingModel(
  name: string,
  { provider = name, model = name, profile }: ScriptedModelOptions,
  answer: (call: ScriptedCall) => AsyncIterable<MessageChunk>,
): ScriptedModel {
  const calls: ScriptedCall[] = [];
  return {
    provider,
    model,
    profile: { ...ableToAll, ...profile },
    calls,
    stream(input, options = {}) {
      const { signal } = options;
      return {
        [Symbol.asyncIterator]() {
          const call = { index: calls.length, messages: toMessages(input), options };
          calls.push(call);
          const chunks = answer(call);
          return (signal === undefined ? chunks : pipe(chunks, abortable(signal)))[Symbol.asyncIterator]();
        },
      };
    },
  };
}

const ableToAll: ModelProfile = {
  structuredOutput: true,
  toolCalling: true,
  reasoning: true,
  input: ["text", "image", "audio", "video", "file"],
  output: ["text", "audio"],
};
