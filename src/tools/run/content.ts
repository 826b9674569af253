import type { JsonValue } from "../../json/value.js";
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import { MessageError } from "../../messages/errors.js";
import { isRecord } from "../../messages/loose.js";
import { toMessages, type OpenAIStyleMessage } from "../../messages/to-messages.js";
import { excerpt, messageOf } from "../../text/excerpt.js";
import { jsonText } from "../../text/json-text.js";
import { isInstance } from "../../text/thrown.js";
import { ToolError } from "../errors.js";

/**
 * Converts a value to content for the model: a string or an array of content blocks unchanged (parts of other
 * libraries become blocks), `undefined` to no content, and every other value to JSON.
 *
 * @param what it is, for the error before the name of the tool: `The result of`
 * @throws {ToolError} `result` if the value cannot be written as JSON
 */
export function contentOf(value: unknown, what: string, tool: string): readonly ContentBlock[] {
  if (value === undefined || value === "") return [];
  const blocks = blocksIn(value);
  if (blocks !== undefined) return plainData(blocks, what, tool) as unknown as ContentBlock[];
  return [{ type: "text", text: typeof value === "string" ? value : textOfJson(value, what, tool) }];
}

/** Copies a value as plain data. */
export function plainData(value: unknown, what: string, tool: string): JsonValue {
  return JSON.parse(textOfJson(value, what, tool)) as JsonValue;
}

/** Other data may have a `type` too, so an array is content only if every item is a block with its fields. */
function blocksIn(value: unknown): readonly ContentBlock[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  if (!value.every((item) => isRecord(item) && typeof item["type"] === "string")) return undefined;
  const parts = value as (object & { readonly type: string })[];
  const message: OpenAIStyleMessage = { role: "tool", content: parts, tool_call_id: "" };
  try {
    const blocks = toMessages(message).flatMap(({ content }) => content);
    return blocks.every((block, index) => hasItsFields(block, parts[index])) ? blocks : undefined;
  } catch (error) {
    if (isInstance(error, MessageError)) return undefined; // named like a part of another library
    throw error;
  }
}

/** Whether a block is a text or a medium, or data of one provider that the tool gave as such. */
function hasItsFields(block: ContentBlock, original: { readonly type: string } | undefined): boolean {
  switch (block.type) {
    case "text":
      return isText(block.text);
    case "text-plain":
      return [block.text, block.url, block.data, block.fileId].some(isText);
    case "image":
    case "audio":
    case "video":
    case "file":
      return [block.url, block.data, block.fileId].some(isText);
    default:
      return block.type === "non_standard" && original?.type === "non_standard";
  }
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function textOfJson(value: unknown, what: string, tool: string): string {
  const { text, problem, cause } = jsonText(value);
  if (problem === undefined) return text;
  const reason = cause === undefined ? problem : `${problem}: ${excerpt(messageOf(cause))}`;
  const message = `${what} "${tool}" cannot be written as JSON: ${reason}.`;
  throw new ToolError("result", message, { tool, cause });
}
