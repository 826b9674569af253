import type { ContentBlock } from "./blocks/blocks.js";
import { MessageError } from "./errors.js";
import { describe, isRecord, type Loose } from "./loose.js";
import type { AudioBlock, FileBlock, ImageBlock } from "./blocks/media-blocks.js";

/**
 * Converts a content part of the Chat Completions API (`image_url`, `input_audio`, `file`) to a block. Returns
 * `undefined` for any other type.
 */
export function fromOpenAIPart(part: Loose, place: string): ContentBlock | undefined {
  switch (part["type"]) {
    case "image_url":
      return toImage(part["image_url"], `${place}.image_url`);
    case "input_audio":
      return toAudio(part["input_audio"], `${place}.input_audio`);
    case "file":
      return isRecord(part["file"]) ? toFile(part["file"]) : undefined;
    default:
      return undefined;
  }
}

/** Accepts `{url, detail}`, or the URL alone, which some compatible servers use. */
function toImage(image: unknown, place: string): ImageBlock {
  const { url, detail } = isRecord(image) ? image : { url: image, detail: undefined };
  return {
    type: "image",
    url: text(url, `${place}.url`),
    ...(isDetail(detail) ? { detail } : undefined),
  };
}

function isDetail(detail: unknown): detail is NonNullable<ImageBlock["detail"]> {
  return detail === "auto" || detail === "low" || detail === "high";
}

function toAudio(audio: unknown, place: string): AudioBlock {
  const { data, format } = isRecord(audio) ? audio : { data: undefined, format: undefined };
  return {
    type: "audio",
    data: text(data, `${place}.data`),
    mimeType: `audio/${text(format, `${place}.format`)}`,
  };
}

/** Accepts `{file_id}`, or `{file_data, filename}` whose data is a `data:` URL. */
function toFile({ file_id, file_data, filename }: Loose): FileBlock {
  return {
    type: "file",
    ...(typeof file_id === "string" ? { fileId: file_id } : undefined),
    ...(typeof file_data === "string" ? { url: file_data } : undefined),
    ...(typeof filename === "string" ? { filename } : undefined),
  };
}

function text(value: unknown, place: string): string {
  if (typeof value === "string") return value;
  throw new MessageError("invalid_content", `${place} must be a string, but is ${describe(value)}.`);
}
