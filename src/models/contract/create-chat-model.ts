import { checkModel } from "./check-call-options.js";
import { MessageBuilder } from "../../messages/merge/message-builder.js";
import type { AnyExtra, ChatModel } from "./chat-model.js";

/**
 * Makes a model from its stream: adds `invoke()`, which merges the chunks of one answer.
 *
 * @example
 * ```ts
 * import { textOf } from "millrace";
 * import { chatModel } from "millrace/models";
 *
 * const model = chatModel({
 *   provider: "mine",
 *   model: "echo",
 *   profile: { structuredOutput: false, toolCalling: false, reasoning: false, input: ["text"], output: ["text"] },
 *   async *stream(input) {
 *     yield { content: [{ type: "text", text: String(input) }], finishReason: "stop" };
 *   },
 * });
 * console.log(textOf(await model.invoke("Hello"))); // "Hello"
 * ```
 */
export function chatModel<Extra = AnyExtra>(model: Omit<ChatModel<Extra>, "invoke">): ChatModel<Extra> {
  checkModel("chatModel()", model);
  return {
    provider: model.provider,
    model: model.model,
    profile: model.profile,
    stream: (input, options) => model.stream(input, options),
    async invoke(input, options) {
      const builder = new MessageBuilder();
      for await (const chunk of model.stream(input, options)) builder.add(chunk);
      builder.end();
      return builder.snapshot();
    },
  };
}
