import type { ContentBlock } from "./blocks/blocks.js";
import type { AssistantMessage, HumanMessage, SystemMessage, ToolMessage } from "./message.js";

/** A text, a block, or an array of both. An empty text produces no block. */
export type MessageContent = string | ContentBlock | readonly (string | ContentBlock)[];

/** Creates a system message: instructions for the model. */
export function system(
  content: MessageContent,
  fields?: Omit<SystemMessage, "role" | "content">,
): SystemMessage {
  return { role: "system", content: toBlocks(content), ...fields };
}

/** Creates a message with the role `user`. */
export function user(content: MessageContent, fields?: Omit<HumanMessage, "role" | "content">): HumanMessage {
  return { role: "user", content: toBlocks(content), ...fields };
}

/** Creates a message of the model. Tool calls are blocks of its `content`. */
export function assistant(
  content: MessageContent,
  fields?: Omit<AssistantMessage, "role" | "content">,
): AssistantMessage {
  return { role: "assistant", content: toBlocks(content), ...fields };
}

/**
 * Creates the result of a tool call.
 *
 * @example
 * ```ts
 * import { assistant, user, toolMessage } from "millrace";
 *
 * const conversation = [
 *   user("How warm is it in Oslo?"),
 *   assistant({ type: "tool_call", id: "call_1", name: "temperature", args: { city: "Oslo" } }),
 *   toolMessage("-4 °C", { toolCallId: "call_1" }),
 * ];
 * console.log(conversation.map((message) => message.role).join(" ")); // "user assistant tool"
 * ```
 */
export function toolMessage(
  content: MessageContent,
  fields: Omit<ToolMessage, "role" | "content">,
): ToolMessage {
  return { role: "tool", content: toBlocks(content), ...fields };
}

function toBlocks(content: MessageContent): ContentBlock[] {
  return [content].flat().flatMap((part): ContentBlock[] => {
    if (typeof part !== "string") return [part];
    return part === "" ? [] : [{ type: "text", text: part }];
  });
}
