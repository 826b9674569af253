import type { ContentBlock } from "./blocks/blocks.js";
import { MessageError } from "./errors.js";
import { describe, isRecord, type Loose } from "./loose.js";
import type { AudioBlock, FileBlock, ImageBlock } from "./blocks/media-blocks.js";

/**
 * The block for a part as the Chat Completions API writes it: `image_url`, `input_audio` and `file`. `undefined` if it
 * is none of these.
 */
export function openAIPart(part: Loose, place: string): ContentBlock | undefined {
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

/** `{url, detail}`, or the URL alone, as some compatible servers have it. */
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

/** `{file_id}`, or `{file_data, filename}` where the data is a `data:` URL. */
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
