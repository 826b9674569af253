import type { JsonObject } from "../../../json/value.js";
import type { FileBlock, ImageBlock } from "../../../messages/blocks/media-blocks.js";
import { requestFields } from "../../loose.js";
import { unreadableBlockError, urlOf } from "../../request/media.js";
import type { InputPartWriters } from "../request/input-parts.js";
import { toFileSource } from "../request/media-parts.js";

/** What is said to the model, as the Responses API has it. */
export const responsesPartWriters: InputPartWriters = {
  api: "The Responses API",
  text: (text) => ({ type: "input_text", text }),
  image: (block) => ({ type: "input_image", detail: block.detail ?? "auto", ...imageOf(block) }),
  file: (block) => ({ type: "input_file", ...(toFileSource(block) ?? fileAt(block)) }),
};

function imageOf(block: ImageBlock): JsonObject {
  if (block.fileId !== undefined) return { file_id: block.fileId };
  const url = urlOf(block);
  if (url === undefined) throw unreadableBlockError(block, responsesPartWriters.api, "a url, data or a fileId");
  return { image_url: url };
}

function fileAt(block: FileBlock): JsonObject {
  const { url, filename } = block;
  if (url === undefined) throw unreadableBlockError(block, responsesPartWriters.api, "a url, data or a fileId");
  return requestFields({ file_url: url, filename });
}
