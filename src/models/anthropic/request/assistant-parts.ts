import type { JsonObject, JsonValue } from "../../../json/value.js";
import type {
  ReasoningBlock,
  ServerToolCallBlock,
  ServerToolResultBlock,
  TextBlock,
} from "../../../messages/blocks/blocks.js";
import type { Metadata } from "../../../messages/blocks/metadata.js";
import { type BlockWriters, callWriters, noParts } from "../../dialect/content.js";
import { nonEmptyText } from "../../loose.js";
import { argumentsOfCall } from "../../dialect/call-arguments.js";
import { toCitations } from "../citations.js";
import { ownFieldsIn } from "../own-fields.js";

/**
 * The blocks of an assistant message. Blocks from Anthropic are sent back unchanged.
 *
 * Blocks that Anthropic refuses are dropped: empty texts; unsigned thoughts and server tool blocks of other providers,
 * which only their provider can read; and cut calls of its own tools.
 */
export const assistantWriters: BlockWriters<JsonObject> = {
  text: (block) => (block.text === "" ? [] : [toText(block)]),
  reasoning: toThinking,
  ...callWriters((block) => {
    const { id = "unknown", name = "unknown", metadata } = block;
    return [toCall("tool_use", id, name, argumentsOfCall(block), metadata)];
  }),
  server_tool_call: toServerCall,
  server_tool_call_chunk: noParts,
  server_tool_result: toServerResult,
  non_standard: ({ value }) => [value as JsonObject],
};

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
  return [{ type, tool_use_id: callId(toolCallId), ...content, ...ownFieldsIn(metadata) }];
}
