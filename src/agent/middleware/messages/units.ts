import type { Message } from "../../../messages/message.js";

/**
 * The messages in groups that only go together: each assistant message with the results of its calls. Any other message
 * is a group of its own.
 */
export function unitsOf(messages: readonly Message[]): (readonly Message[])[] {
  const units: Message[][] = [];
  for (const message of messages) {
    const last = units.at(-1);
    if (message.role === "tool" && last?.[0]?.role === "assistant") last.push(message);
    else units.push([message]);
  }
  return units;
}
