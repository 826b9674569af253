import { textOf } from "../messages/blocks/read.js";
import type { FinishReason } from "../messages/finish-reason.js";
import type { AssistantMessage, Message } from "../messages/message.js";
import type { Usage } from "../messages/usage.js";
import { checkTextOptions, streamText, type StreamTextOptions } from "./stream-text.js";

/** The result of `generateText()`. */
export interface GeneratedText {
  /** The whole text. */
  readonly text: string;
  /** The whole answer, with reasoning and calls of tools. */
  readonly message: AssistantMessage;
  /** The conversation with the answer, without the system prompt: the `messages` of the next call. */
  readonly messages: readonly Message[];
  /** Why the model stopped. `length`: the text is cut. */
  readonly finishReason: FinishReason | undefined;
  /** The tokens, if the model reports them. */
  readonly usage: Usage | undefined;
}

/**
 * Asks a model for a text and waits for it. It is `streamText()` read to its end, and has its errors.
 *
 * @example
 * ```ts
 * import { generateText } from "millrace";
 * import { scriptedModel } from "millrace/testing";
 *
 * const model = scriptedModel(({ messages }) => [`Message ${messages.length}.`]); // or "openai:gpt-6.1-terra"
 * const first = await generateText({ model, prompt: "Hi" });
 * const second = await generateText({ model, messages: [...first.messages, "And now?"] });
 * console.log(first.text, second.text); // "Message 1." "Message 3."
 * ```
 */
export async function generateText(options: StreamTextOptions): Promise<GeneratedText> {
  checkTextOptions("generateText()", options);
  const stream = streamText(options);
  const message = await stream.message;
  const { finishReason, usage } = message;
  return { text: textOf(message), message, messages: await stream.messages, finishReason, usage };
}
