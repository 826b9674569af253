import { wordSet, wordsIn } from "../text/words-in.js";
import { isRecord } from "./loose.js";
import type { Message } from "./message.js";

export const blockTypes = wordSet(`
  text reasoning image audio video file text-plain tool_call tool_call_chunk invalid_tool_call server_tool_call
  server_tool_call_chunk server_tool_result non_standard
`);

const roles = wordSet("system user assistant tool");

/** Where messages of other libraries have text or calls beside their content. */
const besideContent = wordsIn(
  "tool_calls invalid_tool_calls function_call additional_kwargs audio toolCalls toolInvocations",
);

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
