import type { FinishReason } from "../messages/finish-reason.js";
import type { AssistantMessage } from "../messages/message.js";
import { textOf } from "../messages/blocks/read.js";
import type { ChatGeneration } from "../outputs/chat-generation.js";
import type { Generation } from "../outputs/generation.js";

/** A whole output: its text, the message of a model, or a generation. */
export type Output = string | AssistantMessage | Generation;

/** The message of an output, if it has one. */
export function messageOfOutput(output: Output): AssistantMessage | undefined {
  if (typeof output === "string") return undefined;
  return "content" in output ? output : (output as Partial<ChatGeneration>).message;
}

/** The text of an output, and why the model stopped, if it says so. */
export function textOfOutput(output: Output): {
  readonly text: string;
  readonly finishReason: FinishReason | undefined;
} {
  if (typeof output === "string") return { text: output, finishReason: undefined };
  const message = messageOfOutput(output);
  return message === undefined
    ? { text: (output as Generation).text, finishReason: undefined }
    : { text: textOf(message), finishReason: message.finishReason };
}
