import { type Message, textOf } from "millrace";

/** Formats a conversation: one line with role, text and calls for each message. */
export function inShort(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    const calls = message.content.flatMap((block) => {
      if (block.type === "tool_call") return `${block.name}#${block.id}(${JSON.stringify(block.args)})`;
      return block.type === "invalid_tool_call" ? `${block.name}#${block.id}!(${block.args})` : [];
    });
    const of = message.role === "tool" ? `#${message.toolCallId} ${message.status}` : "";
    return [message.role + of, textOf(message), ...calls].filter((part) => part !== "").join(" | ");
  });
}
