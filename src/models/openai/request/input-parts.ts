import type { JsonObject, JsonValue } from "../../../json/value.js";
import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import type { AudioBlock, FileBlock, ImageBlock } from "../../../messages/blocks/media-blocks.js";
import { invalidRequest } from "../../contract/errors.js";
import { base64Of, plainTextOf } from "../../request/media.js";
import { misplacedCallError, unreadableBlockError } from "../../request/request-errors.js";

/** How one of the APIs represents content parts. */
export interface InputPartWriters {
  /** Name of the API, for errors. */
  readonly api: string;
  text(text: string): JsonObject;
  image(block: ImageBlock): JsonObject;
  file(block: FileBlock): JsonObject;
}

/** A string if all blocks are text, which every server accepts, otherwise an array of parts. */
export function toInputContent(
  content: readonly ContentBlock[],
  role: string,
  parts: InputPartWriters,
): JsonValue {
  if (content.every((block) => block.type === "text")) return content.map((block) => block.text).join("");
  return content.flatMap((block) => toInputParts(block, role, parts));
}

export function toInputParts(block: ContentBlock, role: string, parts: InputPartWriters): JsonObject[] {
  switch (block.type) {
    case "text":
      return [parts.text(block.text)];
    case "text-plain":
      return [parts.text(plainTextOf(block, parts.api))];
    case "image":
      return [parts.image(block)];
    case "file":
      return [parts.file(block)];
    case "audio":
      return [{ type: "input_audio", input_audio: toAudioSource(block) }];
    case "non_standard":
      return [block.value as JsonObject];
    case "reasoning":
    case "server_tool_call":
    case "server_tool_call_chunk":
    case "server_tool_result":
      return [];
    case "video":
      throw invalidRequest(`${parts.api} does not accept video.`);
    case "tool_call":
    case "tool_call_chunk":
    case "invalid_tool_call":
      throw misplacedCallError(block, role);
  }
}

/** Audio as `{data, format}`, where the format is `wav` or `mp3`. */
function toAudioSource(block: AudioBlock): JsonObject {
  const source = base64Of(block);
  if (source === undefined) throw unreadableBlockError(block, "OpenAI", "data");
  return { data: source.data, format: source.mimeType.replace(/^audio\/(?:x-)?/, "").replace("mpeg", "mp3") };
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
