import type { JsonObject } from "../../../json/value.js";
import { wordsIn } from "../../../text/words-in.js";
import type { CallBlock } from "../../../messages/blocks/read.js";
import type {
  ServerToolCallBlock,
  ServerToolResultBlock,
  TextBlock,
} from "../../../messages/blocks/blocks.js";
import type { ImageBlock } from "../../../messages/blocks/media-blocks.js";
import type { Message, ToolMessage } from "../../../messages/message.js";
import type { BlockBase } from "../../../messages/blocks/metadata.js";
import { callWriters, foreign, mediaWriters, writeContent, type Writers } from "../../dialect/content.js";
import { nonEmptyText, requestFields } from "../../loose.js";
import { argumentsOfCall } from "../../dialect/call-arguments.js";
import { base64Of, type Medium, plainTextOf, required } from "../../dialect/media.js";
import { toGeminiName } from "../function-name.js";
import { toServerToolPart } from "../server-tools.js";

/** Reasoning without a signature is dropped, because it is not from Gemini. */
const texts: Writers<JsonObject> = {
  text: toText,
  ...foreign,
  reasoning: (block) =>
    block.metadata?.["thoughtSignature"] === undefined
      ? []
      : [{ text: block.reasoning, thought: true, ...ownFields(block) }],
  server_tool_call: toServerTool,
  server_tool_result: toServerTool,
  non_standard: ({ value }) => [value as JsonObject],
};

const parts: Writers<JsonObject> = {
  ...texts,
  ...mediaWriters(
    (block) => [{ ...toMediaPart(block), ...ownFields(block) }],
    (text) => [{ text }],
    "Gemini",
  ),
  image: (block) => [{ ...toMediaPart(block), ...resolutionOf(block), ...ownFields(block) }],
};

const writers: Readonly<Record<Message["role"], Writers<JsonObject>>> = {
  system: { ...texts, "text-plain": (block) => [{ text: plainTextOf(block, "Gemini") }] },
  user: parts,
  tool: parts,
  assistant: { ...parts, ...callWriters(toCall) },
};

export function toParts(message: Message): JsonObject[] {
  return writeContent(message, writers[message.role], "Gemini");
}

function toServerTool(block: ServerToolCallBlock | ServerToolResultBlock): JsonObject[] {
  const part = toServerToolPart(block);
  return part === undefined ? [] : [{ ...part, ...ownFields(block) }];
}

function toText(block: TextBlock): JsonObject[] {
  const fields = ownFields(block);
  return block.text === "" && Object.keys(fields).length === 0 ? [] : [{ text: block.text, ...fields }];
}

/** The content of a tool result: joined text, and media as parts. */
export function mediaOf(message: ToolMessage): { readonly text: string; readonly media: JsonObject[] } {
  const parts = toParts(message);
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  return { text: texts.join(""), media: parts.filter((part) => !("text" in part)) };
}

/** Gemini's id of a call also begins the `id` of the block, unlike the item ids of OpenAI in `metadata.id`. */
export function ownIdOf({ id, metadata }: CallBlock): string | undefined {
  const own = nonEmptyText(metadata?.["id"]);
  return own !== undefined && id?.startsWith(own) === true ? own : undefined;
}

function toCall(block: CallBlock): JsonObject[] {
  const { name = "unknown" } = block;
  const functionCall = requestFields({
    id: ownIdOf(block),
    name: toGeminiName(name),
    args: argumentsOfCall(block),
  });
  return [{ functionCall, ...ownFields(block) }];
}

function resolutionOf({ detail }: ImageBlock): JsonObject | undefined {
  if (detail === undefined || detail === "auto") return undefined;
  return { mediaResolution: { level: `MEDIA_RESOLUTION_${detail.toUpperCase()}` } };
}

/** Other fields of a part, which the block keeps in its metadata. */
function ownFields({ metadata = {} }: BlockBase): JsonObject {
  return requestFields(Object.fromEntries(partFields.map((key) => [key, metadata[key]])));
}

const partFields = wordsIn("thought thoughtSignature mediaResolution videoMetadata partMetadata");

/** Converts a medium to a part: its bytes, or the URL of a file that Gemini can read. */
function toMediaPart(block: Medium): JsonObject {
  const inline = base64Of(block);
  if (inline !== undefined) return { inlineData: { mimeType: inline.mimeType, data: inline.data } };
  const fileUri = required(block.url ?? block.fileId, block, "Gemini", "data, a url or a fileId");
  return { fileData: requestFields({ mimeType: block.mimeType, fileUri }) };
}
