import type { Message } from "../../messages/message.js";
import type { MessagesInput } from "../../messages/to-messages.js";

/** A message from a client: a message of the agent, or one with `tool_calls` in OpenAI's format. */
export type InputMessage = Extract<
  Extract<MessagesInput, readonly unknown[]>[number],
  { readonly role: string }
>;

/** Whether the agent has written the message of the user, to ask the model again. Pages do not show it. */
export function isCorrection({ role, metadata }: Pick<Message, "role" | "metadata">): boolean {
  return role === "user" && metadata?.["correction"] === true;
}
