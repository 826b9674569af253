import type { MessageChunk } from "../../messages/chunk.js";
import type { Message } from "../../messages/message.js";
import { toMessages } from "../../messages/to-messages.js";
import { chatModel } from "../../models/contract/create-chat-model.js";
import type { CallOptions, ChatModel, ModelProfile } from "../../models/contract/chat-model.js";
import { abortable } from "../../stream/operators/abortable.js";
import { pipe } from "../../stream/pipe.js";

/** A model that answers from a script and records its calls. */
export interface ScriptedModel extends ChatModel {
  /** The calls so far, one for each opened stream. */
  readonly calls: readonly ScriptedCall[];
}

/** One call of a scripted model. */
export interface ScriptedCall {
  /** The number of the call, from 0. */
  readonly index: number;
  readonly messages: readonly Message[];
  readonly options: CallOptions;
}

/** The options of `scriptedModel()`. */
export interface ScriptedModelOptions {
  readonly provider?: string;
  readonly model?: string;
  /** Default: supports everything. */
  readonly profile?: Partial<ModelProfile>;
}

/**
 * Creates a model that records its calls.
 *
 * @param name the default name of the provider and the model
 * @param answer returns the chunks of an answer; called when a stream is opened. A signal ends them at once
 */
export function recordingModel(
  name: string,
  { provider = name, model = name, profile }: ScriptedModelOptions,
  answer: (call: ScriptedCall) => AsyncIterable<MessageChunk>,
): ScriptedModel {
  const calls: ScriptedCall[] = [];
  const streaming = chatModel({
    provider,
    model,
    profile: { ...fullProfile, ...profile },
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
  });
  return { ...streaming, calls };
}

const fullProfile: ModelProfile = {
  structuredOutput: true,
  structuredOutputWithTools: true,
  toolCalling: true,
  reasoning: true,
  input: ["text", "image", "audio", "video", "file"],
  output: ["text", "audio"],
};
