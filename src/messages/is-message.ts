import { isRecord } from "./loose.js";
import type { Message } from "./message.js";

export const blockTypes: ReadonlySet<unknown> = new Set([
  ...["text", "reasoning", "image", "audio", "video", "file", "text-plain", "non_standard", "tool_call"],
  ...["tool_call_chunk", "invalid_tool_call"],
  ...["server_tool_call", "server_tool_call_chunk", "server_tool_result"],
]);
const roles: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);

/** Where messages of other libraries have text or calls beside their content. */
const besideContent = [
  ...["tool_calls", "invalid_tool_calls", "function_call", "additional_kwargs"],
  ...["audio", "toolCalls", "toolInvocations", "experimental_attachments", "images"],
];

/** Is it a message in our form? Those of other libraries are not, because a part of them would be overlooked. */
export function isMessage(value: unknown): value is Message {
  return (
    isRecord(value) &&
    roles.has(value["role"]) &&
    Array.isArray(value["content"]) &&
    value["content"].every(isBlock) &&
    besideContent.every((key) => value[key] === undefined || value[key] === null)
  );
}

function isBlock(value: unknown): boolean {
  if (!isRecord(value) || !blockTypes.has(value["type"])) return false;
  return value["type"] !== "text" || typeof value["text"] === "string";
}
