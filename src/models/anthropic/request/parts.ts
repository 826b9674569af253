import type { JsonObject, JsonValue } from "../../../json/value.js";
import type { FileBlock, PlainTextBlock } from "../../../messages/blocks/media-blocks.js";
import { invalidRequest } from "../../contract/errors.js";
import { requestFields, nonEmptyText } from "../../loose.js";
import { type Writers, callWriters, noParts, writeContent } from "../../dialect/content.js";
import { base64Of, type Medium, type MediumData, required } from "../../dialect/media.js";
import { ownFieldsIn } from "../own-fields.js";
import type {
  ReasoningBlock,
  ServerToolCallBlock,
  ServerToolResultBlock,
  TextBlock,
} from "../../../messages/blocks/blocks.js";
import type { Message } from "../../../messages/message.js";
import { argumentsOfCall } from "../../dialect/call-arguments.js";
import { plainId } from "../../dialect/call-ids.js";
import { toCitations } from "../citations.js";

/** The blocks of a system message. Texts of white space alone are dropped, because Anthropic refuses them. */
const systemWriters: Writers<JsonObject> = {
  text: ({ text, metadata }) =>
    text.trim() === "" ? [] : [{ type: "text", text, ...ownFieldsIn(metadata) }],
  non_standard: ({ value }) => [value as JsonObject],
};

const userWriters: Writers<JsonObject> = {
  ...systemWriters,
  image: (block) => [{ type: "image", source: mediaSource(block, bytes), ...ownFieldsIn(block.metadata) }],
  file: (block) => [toDocument(block, mediaSource(block, fileData), { title: block.filename })],
  "text-plain": (block) => {
    const { text, title, context } = block;
    const source = text === undefined ? mediaSource(block, fileData) : plainText(text);
    return [toDocument(block, source, { title, context })];
  },
};

const api = "Anthropic";

function toDocument(
  block: FileBlock | PlainTextBlock,
  source: JsonObject,
  fields: Readonly<Record<string, string | undefined>>,
): JsonObject {
  return { type: "document", source, ...requestFields(fields), ...ownFieldsIn(block.metadata) };
}

function mediaSource(block: Medium, write: (bytes: MediumData) => JsonObject): JsonObject {
  const { fileId } = block;
  if (fileId !== undefined) return { type: "file", file_id: fileId };
  const data = base64Of(block);
  if (data !== undefined) return write(data);
  return { type: "url", url: required(block.url, block, api, "a url, data or a fileId") };
}

function bytes({ data, mimeType }: MediumData): JsonObject {
  return { type: "base64", media_type: mimeType, data };
}

function fileData(data: MediumData): JsonObject {
  const { mimeType } = data;
  if (mimeType === "application/pdf") return bytes(data);
  if (mimeType.startsWith("text/")) return plainText(textOf(data.data));
  throw invalidRequest(
    `${api} accepts only PDF and plain text documents, but the block has the type ${JSON.stringify(mimeType)}.`,
  );
}

function plainText(data: string): JsonObject {
  return { type: "text", media_type: "text/plain", data };
}

/** @throws {ModelError} `invalid_request` if the data is not base64 */
function textOf(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch (cause) {
    throw invalidRequest("The data of a text document is not base64.", { cause });
  }
}

/** Anthropic refuses empty texts, unsigned thoughts, blocks of other providers' tools, and cut calls of its own. */
const assistantWriters: Writers<JsonObject> = {
  text: (block) => (block.text === "" ? [] : [toText(block)]),
  reasoning: toThinking,
  ...callWriters((block) => {
    const { id = "unknown", name = "unknown" } = block;
    return [toCall("tool_use", { ...block, id, name, args: argumentsOfCall(block) })];
  }),
  server_tool_call: toServerCall,
  server_tool_call_chunk: noParts,
  server_tool_result: toServerResult,
  non_standard: ({ value }) => [value as JsonObject],
};

const writers: Readonly<Record<Message["role"], Writers<JsonObject>>> = {
  system: systemWriters,
  user: userWriters,
  tool: userWriters,
  assistant: assistantWriters,
};

export function toAnthropicParts(message: Message): JsonObject[] {
  return writeContent(message, writers[message.role], api);
}

/** Anthropic accepts letters, digits, `_` and `-`. Other providers use more characters. */
export function callId(id: string): string {
  return /^[\w-]+$/.test(id) ? id : plainId(id);
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

function toServerCall(block: ServerToolCallBlock): JsonObject[] {
  const type = block.metadata?.["type"];
  return type === "server_tool_use" || type === "mcp_tool_use" ? [toCall(type, block)] : [];
}

function toCall(type: string, { id, name, args, metadata }: Omit<ServerToolCallBlock, "type">): JsonObject {
  return { type, id: callId(id), name, input: args, ...ownFieldsIn(metadata) };
}

function toServerResult({ toolCallId, output, metadata }: ServerToolResultBlock): JsonObject[] {
  const type = nonEmptyText(metadata?.["type"]);
  if (type?.endsWith("_tool_result") !== true) return [];
  const content: { content?: JsonValue } = output === undefined ? {} : { content: output };
  return [{ type, tool_use_id: callId(toolCallId), ...content, ...ownFieldsIn(metadata) }];
}
