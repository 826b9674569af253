import type { JsonObject, JsonValue } from "../../../json/value.js";
import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import type { FileBlock, ImageBlock } from "../../../messages/blocks/media-blocks.js";
import { ModelError } from "../../contract/errors.js";
import { plainTextOf } from "../../request/media.js";
import { misplacedCallError } from "../../request/misplaced-call.js";
import { toAudioSource } from "./media-parts.js";

/** How one of the APIs writes what is said to a model. */
export interface InputPartWriters {
  /** Its name, for errors. */
  readonly api: string;
  text(text: string): JsonObject;
  image(block: ImageBlock): JsonObject;
  file(block: FileBlock): JsonObject;
}

/** A text where there is nothing but text, which every server understands; else parts. */
export function toInputContent(content: readonly ContentBlock[], role: string, parts: InputPartWriters): JsonValue {
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
      throw new ModelError("invalid_request", `${parts.api} reads no video.`);
    case "tool_call":
    case "tool_call_chunk":
    case "invalid_tool_call":
      throw misplacedCallError(block, role);
  }
}
