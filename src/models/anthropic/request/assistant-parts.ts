import type { JsonObject, JsonValue } from "../../../json/value.js";
import type {
  ContentBlock,
  ReasoningBlock,
  ServerToolCallBlock,
  ServerToolResultBlock,
  TextBlock,
} from "../../../messages/blocks/blocks.js";
import type { Metadata } from "../../../messages/blocks/metadata.js";
import { invalidRequest } from "../../contract/errors.js";
import { nonEmptyText } from "../../loose.js";
import { argumentsOfCall } from "../../request/call-arguments.js";
import { toCitations } from "../citations.js";
import { ownFieldsIn } from "../own-fields.js";

/**
 * Converts a block of an assistant message for a request. Blocks from Anthropic are sent back unchanged.
 *
 * Blocks that Anthropic refuses are dropped: empty texts; unsigned thoughts and server tool blocks of other providers,
 * which only their provider can read; and cut calls of its own tools.
 */
export function assistantParts(block: ContentBlock): JsonObject[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [toText(block)];
    case "reasoning":
      return toThinking(block);
    case "tool_call":
    case "tool_call_chunk":
    case "invalid_tool_call": {
      const { id = "unknown", name = "unknown", metadata } = block;
      return [toCall("tool_use", id, name, argumentsOfCall(block), metadata)];
    }
    case "server_tool_call":
      return toServerCall(block);
    case "server_tool_result":
      return toServerResult(block);
    case "server_tool_call_chunk":
      return [];
    case "non_standard":
      return [block.value as JsonObject];
    case "image":
    case "audio":
    case "video":
    case "file":
    case "text-plain":
      throw invalidRequest(
        `Anthropic does not accept a block of type "${block.type}" in an assistant message.`,
      );
  }
}

/** Anthropic accepts letters, digits, `_` and `-`. Other providers use more characters. */
export function callId(id: string): string {
  return id.replace(/[^\w-]/g, "_");
}

function toText({ text, annotations, metadata }: TextBlock): JsonObject {
  const citations = annotations === undefined ? undefined : toCitations(annotations);
  return {
    type: "text",
    text,
    ...ownFieldsIn(metadata),
    ...(citations === undefined || (citations.length === 0 && annotations?.length !== 0)
      ? undefined
      : { citations }),
  };
}

function toThinking({ reasoning, metadata }: ReasoningBlock): JsonObject[] {
  const data = nonEmptyText(metadata?.["data"]);
  if (metadata?.["type"] === "redacted_thinking" && data !== undefined)
    return [{ type: "redacted_thinking", data }];
  const signature = nonEmptyText(metadata?.["signature"]);
  return signature === undefined
    ? []
    : [{ type: "thinking", thinking: reasoning, signature, ...ownFieldsIn(metadata) }];
}

function toServerCall({ id, name, args, metadata }: ServerToolCallBlock): JsonObject[] {
  const type = metadata?.["type"];
  return type === "server_tool_use" || type === "mcp_tool_use"
    ? [toCall(type, id, name, args, metadata)]
    : [];
}

function toCall(
  type: "tool_use" | "server_tool_use" | "mcp_tool_use",
  id: string,
  name: string,
  input: JsonObject,
  metadata: Metadata | undefined,
): JsonObject {
  return { type, id: callId(id), name, input, ...ownFieldsIn(metadata) };
}

function toServerResult({ toolCallId, output, metadata }: ServerToolResultBlock): JsonObject[] {
  const type = nonEmptyText(metadata?.["type"]);
  if (type?.endsWith("_tool_result") !== true) return [];
  const content: { content?: JsonValue } = output === undefined ? {} : { content: output };
  return [{ type, tool_use_id: toolCallId, ...content, ...ownFieldsIn(metadata) }];
}
