import type { JsonObject, JsonValue } from "../../json/value.js";
import type { ContentBlock } from "../../messages/blocks.js";
import type { FileBlock, ImageBlock } from "../../messages/media-blocks.js";
import { ModelError } from "../errors.js";
import { requestFields } from "../loose.js";
import { misplacedCall } from "../misplaced-call.js";
import { base64Of, plainTextOf, unreadable, urlOf } from "../media.js";
import { audioSource, nameOfFile } from "./media-parts.js";

/** What is said to the model: a text where there is nothing but text, else parts. */
export function inputOf(content: readonly ContentBlock[], role: string): JsonValue {
  if (content.every((block) => block.type === "text")) return content.map((block) => block.text).join("");
  return content.flatMap((block) => toInputPart(block, role));
}

function toInputPart(block: ContentBlock, role: string): JsonObject[] {
  switch (block.type) {
    case "text":
      return [{ type: "input_text", text: block.text }];
    case "text-plain":
      return [{ type: "input_text", text: plainTextOf(block, api) }];
    case "image":
      return [{ type: "input_image", detail: block.detail ?? "auto", ...imageOf(block) }];
    case "file":
      return [{ type: "input_file", ...fileOf(block) }];
    case "audio":
      return [{ type: "input_audio", input_audio: audioSource(block) }];
    case "non_standard":
      return [block.value as JsonObject];
    case "reasoning":
    case "server_tool_call":
    case "server_tool_call_chunk":
    case "server_tool_result":
      return [];
    case "video":
      throw new ModelError("invalid_request", `${api} reads no video.`);
    case "tool_call":
    case "tool_call_chunk":
    case "invalid_tool_call":
      throw misplacedCall(block, role);
  }
}

function imageOf(block: ImageBlock): JsonObject {
  if (block.fileId !== undefined) return { file_id: block.fileId };
  const url = urlOf(block);
  if (url === undefined) throw unreadable(block, api, "a url, data or a fileId");
  return { image_url: url };
}

function fileOf(block: FileBlock): JsonObject {
  const { fileId, filename, url } = block;
  if (fileId !== undefined) return { file_id: fileId };
  const source = base64Of(block);
  if (source !== undefined) {
    const named = filename ?? nameOfFile(source.mimeType);
    return { file_data: `data:${source.mimeType};base64,${source.data}`, filename: named };
  }
  if (url === undefined) throw unreadable(block, api, "a url, data or a fileId");
  return requestFields({ file_url: url, filename });
}

const api = "The Responses API";
