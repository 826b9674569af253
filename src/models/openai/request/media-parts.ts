import type { JsonObject } from "../../../json/value.js";
import type { AudioBlock, FileBlock } from "../../../messages/blocks/media-blocks.js";
import { base64Of, unreadableBlockError } from "../../request/media.js";

/** `{data, format}`: `wav` or `mp3`, as OpenAI calls them. */
export function toAudioSource(block: AudioBlock): JsonObject {
  const source = base64Of(block);
  if (source === undefined) throw unreadableBlockError(block, "OpenAI", "data");
  return { data: source.data, format: source.mimeType.replace(/^audio\/(?:x-)?/, "").replace("mpeg", "mp3") };
}

/** A file that OpenAI keeps, or one that comes along; `undefined` if it is somewhere else. */
export function toFileSource(block: FileBlock): JsonObject | undefined {
  const { fileId, filename } = block;
  if (fileId !== undefined) return { file_id: fileId };
  const source = base64Of(block);
  return (
    source && {
      file_data: `data:${source.mimeType};base64,${source.data}`,
      filename: filename ?? nameOfFile(source.mimeType),
    }
  );
}

/** For a file without a name: OpenAI wants one. */
function nameOfFile(mimeType: string): string {
  return `file.${mimeType.replace(/^.*\//, "").replace(/[^A-Za-z0-9].*$/, "")}`;
}
