import type { JsonObject, JsonValue } from "../../../json/value.js";
import type { AudioBlock, FileBlock, ImageBlock } from "../../../messages/blocks/media-blocks.js";
import { textOf } from "../../../messages/blocks/read.js";
import { type Writers, type Content, foreign, writeContent } from "../../dialect/content.js";
import { base64Of, plainTextOf, required } from "../../dialect/media.js";

export interface InputPartWriters {
  readonly api: string;
  text(text: string): JsonObject;
  image(block: ImageBlock): JsonObject;
  file(block: FileBlock): JsonObject;
}

/** The blocks of a message that is not from the assistant. */
export function inputWriters(parts: InputPartWriters): Writers<JsonObject> {
  return {
    text: ({ text }) => [parts.text(text)],
    ...foreign,
    "text-plain": (block) => [parts.text(plainTextOf(block, parts.api))],
    image: (block) => [parts.image(block)],
    file: (block) => [parts.file(block)],
    audio: (block) => [{ type: "input_audio", input_audio: toAudioSource(block) }],
    non_standard: ({ value }) => [value as JsonObject],
  };
}

/** A string if all blocks are text, which every server accepts, otherwise an array of parts. */
export function toInputContent(message: Content, writers: Writers<JsonObject>, api: string): JsonValue {
  const isText = message.content.every(({ type }) => type === "text");
  return isText ? textOf(message) : writeContent(message, writers, api);
}

/** Audio as `{data, format}`, where the format is `wav` or `mp3`. */
function toAudioSource(block: AudioBlock): JsonObject {
  const { data, mimeType } = required(base64Of(block), block, "OpenAI", "data");
  const [, format = mimeType] = /^audio\/(?:x-)?([^;]*)/.exec(mimeType) ?? [];
  return { data, format: format === "mpeg" ? "mp3" : format };
}

/** A file stored at OpenAI, or one sent as data. `undefined` if the block has another kind of source. */
export function toFileSource(block: FileBlock): JsonObject | undefined {
  const { fileId, filename } = block;
  if (fileId !== undefined) return { file_id: fileId };
  const source = base64Of(block);
  return (
    source && {
      file_data: `data:${source.mimeType};base64,${source.data}`,
      filename: filename ?? defaultFilename(source.mimeType),
    }
  );
}

/** A name for a file without one, because OpenAI requires a name. */
function defaultFilename(mimeType: string): string {
  return `file.${mimeType.replace(/^.*\//, "").replace(/[^A-Za-z0-9][^]*$/, "")}`;
}
