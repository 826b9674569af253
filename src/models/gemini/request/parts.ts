import type { JsonObject, JsonValue } from "../../../json/value.js";
import type { CallBlock } from "../../../messages/blocks/read.js";
import type { ContentBlock, TextBlock } from "../../../messages/blocks/blocks.js";
import type { ImageBlock } from "../../../messages/blocks/media-blocks.js";
import type { Message, ToolMessage } from "../../../messages/message.js";
import type { BlockBase } from "../../../messages/blocks/metadata.js";
import { invalidRequest } from "../../contract/errors.js";
import { nonEmptyText, requestFields } from "../../loose.js";
import { argumentsOfCall } from "../../request/call-arguments.js";
import { misplacedCallError } from "../../request/request-errors.js";
import { plainTextOf } from "../../request/media.js";
import { toMediaPart } from "../media-parts.js";
import { toServerToolPart } from "../server-tools.js";

/**
 * Converts a block to parts, with signatures. Reasoning without a signature is dropped, because it is not from Gemini.
 */
export function toParts(block: ContentBlock, role: Message["role"]): JsonObject[] {
  switch (block.type) {
    case "text":
      return toText(block);
    case "reasoning":
      return block.metadata?.["thoughtSignature"] === undefined
        ? []
        : [{ text: block.reasoning, thought: true, ...ownFields(block) }];
    case "image":
      return [media({ ...toMediaPart(block), ...resolutionOf(block), ...ownFields(block) }, block, role)];
    case "audio":
    case "video":
    case "file":
      return [media({ ...toMediaPart(block), ...ownFields(block) }, block, role)];
    case "text-plain":
      return block.text === undefined
        ? [media({ ...toMediaPart(block), ...ownFields(block) }, block, role)]
        : [{ text: plainTextOf(block, "Gemini") }];
    case "tool_call":
    case "invalid_tool_call":
    case "tool_call_chunk":
      return [call(block, role, block.name ?? "unknown", argumentsOfCall(block))];
    case "server_tool_call":
    case "server_tool_result": {
      const part = toServerToolPart(block);
      return part === undefined ? [] : [{ ...part, ...ownFields(block) }];
    }
    case "server_tool_call_chunk":
      return [];
    case "non_standard":
      return [block.value as JsonObject];
  }
}

function toText(block: TextBlock): JsonObject[] {
  const fields = ownFields(block);
  return block.text === "" && Object.keys(fields).length === 0 ? [] : [{ text: block.text, ...fields }];
}

/** The content of a tool result: joined text, and media as parts. */
export function mediaOf(message: ToolMessage): { readonly text: string; readonly media: JsonObject[] } {
  const parts = message.content.flatMap((block) => toParts(block, "tool"));
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  return { text: texts.join(""), media: parts.filter((part) => !("text" in part)) };
}

/**
 * The id that Gemini gave to a call, if any. It also begins the `id` of the block, unlike the item ids of OpenAI that
 * `metadata.id` may have.
 */
export function ownIdOf({ id, metadata }: CallBlock): string | undefined {
  const own = nonEmptyText(metadata?.["id"]);
  return own !== undefined && id?.startsWith(own) === true ? own : undefined;
}

function call(block: CallBlock, role: string, name: string, args: JsonObject): JsonObject {
  if (role !== "assistant") {
    throw misplacedCallError(block, role);
  }
  return {
    functionCall: requestFields({ id: ownIdOf(block), name, args }),
    ...ownFields(block),
  };
}

function media(part: JsonObject, block: ContentBlock, role: string): JsonObject {
  if (role !== "system") return part;
  throw invalidRequest(
    `A system message for Gemini can contain only text, not a block of type "${block.type}".`,
  );
}

function resolutionOf({ detail }: ImageBlock): JsonObject | undefined {
  if (detail === undefined || detail === "auto") return undefined;
  return { mediaResolution: { level: `MEDIA_RESOLUTION_${detail.toUpperCase()}` } };
}

/** Other fields of a part, which the block keeps in its metadata. */
function ownFields({ metadata = {} }: BlockBase): JsonObject {
  const fields: Record<string, JsonValue | undefined> = {};
  for (const key of partFields) fields[key] = metadata[key];
  return requestFields(fields);
}

const partFields = [
  "thought",
  "thoughtSignature",
  "mediaResolution",
  "videoMetadata",
  "partMetadata",
] as const;
