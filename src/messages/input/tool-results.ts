import type { Metadata } from "../blocks/metadata.js";
import { isRecord, type Loose } from "../loose.js";
import type { ToolMessage } from "../message.js";
import { toBlocks } from "./content.js";
import { textAt } from "./content-error.js";

/** Whether it is a tool result of Anthropic, which is a part of a user message there. */
export function isToolResult(part: unknown): part is Loose {
  return isRecord(part) && part["type"] === "tool_result";
}

export function toToolMessage(part: Loose, place: string): ToolMessage {
  const { tool_use_id, content, is_error, cache_control } = part;
  return {
    role: "tool",
    toolCallId: textAt(`${place}.tool_use_id`, tool_use_id),
    content: toBlocks(content, "tool", `${place}.content`),
    ...(is_error === true ? { status: "error" } : undefined),
    ...(isRecord(cache_control) ? { metadata: { cache_control } as Metadata } : undefined),
  };
}
