import type { JsonObject } from "../../json/value.js";
import type { ContentBlock } from "../blocks/blocks.js";
import type { MediaSource } from "../blocks/media-blocks.js";
import type { Metadata } from "../blocks/metadata.js";
import { isRecord, type Loose, presentIn, stringsIn } from "../loose.js";
import type { Message } from "../message.js";
import { contentError, textAt } from "../errors.js";

/** A content part of Anthropic's Messages API as a block. `undefined` for a type, or a type of a role, without one. */
export function fromAnthropicPart(
  part: Loose,
  role: Message["role"],
  place: string,
): ContentBlock | undefined {
  switch (part["type"]) {
    case "image":
      return "source" in part ? toImage(part, place) : undefined;
    case "document":
      return toDocument(part, place);
    default:
      return role === "assistant" ? fromAssistantPart(part, place) : undefined;
  }
}

function fromAssistantPart(part: Loose, place: string): ContentBlock | undefined {
  switch (part["type"]) {
    case "thinking": {
      const { type: _, thinking, ...others } = part;
      return { type: "reasoning", reasoning: textAt(`${place}.thinking`, thinking), ...metadataOf(others) };
    }
    case "redacted_thinking":
      return { type: "reasoning", reasoning: "", ...metadataOf(part) };
    case "tool_use": {
      const { type: _, id, name, input, ...others } = part;
      if (!isRecord(input)) throw contentError(`${place}.input`, "an object", input);
      return {
        type: "tool_call",
        id: textAt(`${place}.id`, id),
        name: textAt(`${place}.name`, name),
        args: input as JsonObject,
        ...metadataOf(others),
      };
    }
    default:
      return undefined;
  }
}

function toImage({ type: _, source, ...others }: Loose, place: string): ContentBlock {
  const medium = mediumOf(source, `${place}.source`);
  if (medium === undefined) throw contentError(`${place}.source.type`, '"base64", "url" or "file"', source);
  return { type: "image", ...medium, ...metadataOf(others) };
}

function toDocument({ type: _, source, title, ...others }: Loose, place: string): ContentBlock | undefined {
  if (isRecord(source) && source["type"] === "text") {
    const { context, ...rest } = others;
    return {
      type: "text-plain",
      text: textAt(`${place}.source.data`, source["data"]),
      ...stringsIn({ title, context }),
      ...metadataOf(rest),
    };
  }
  const medium = mediumOf(source, `${place}.source`);
  if (medium === undefined) return undefined;
  return { type: "file", ...medium, ...stringsIn({ filename: title }), ...metadataOf(others) };
}

function mediumOf(source: unknown, place: string): MediaSource | undefined {
  if (!isRecord(source)) throw contentError(place, "an object with a type", source);
  switch (source["type"]) {
    case "base64":
      return {
        data: textAt(`${place}.data`, source["data"]),
        mimeType: textAt(`${place}.media_type`, source["media_type"]),
      };
    case "url":
      return { url: textAt(`${place}.url`, source["url"]) };
    case "file":
      return { fileId: textAt(`${place}.file_id`, source["file_id"]) };
    default:
      return undefined;
  }
}

function metadataOf(fields: Loose): { readonly metadata?: Metadata } {
  const metadata = presentIn(fields) as Metadata;
  return Object.keys(metadata).length === 0 ? {} : { metadata };
}
