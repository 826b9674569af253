import type { JsonObject } from "../../../json/value.js";
import type { FileBlock, ImageBlock, PlainTextBlock } from "../../../messages/blocks/media-blocks.js";
import { invalidRequest } from "../../contract/errors.js";
import { requestFields } from "../../loose.js";
import type { BlockWriters } from "../../dialect/content.js";
import { base64Of, unreadableBlockError } from "../../dialect/media.js";
import { ownFieldsIn } from "../own-fields.js";

/** The blocks of a system message. Texts of white space alone are dropped, because Anthropic refuses them. */
export const systemWriters: BlockWriters<JsonObject> = {
  text: ({ text, metadata }) =>
    text.trim() === "" ? [] : [{ type: "text", text, ...ownFieldsIn(metadata) }],
  non_standard: ({ value }) => [value as JsonObject],
};

/** The blocks of a user or tool message. */
export const userWriters: BlockWriters<JsonObject> = {
  ...systemWriters,
  image: (block) => [{ type: "image", source: imageSource(block), ...ownFieldsIn(block.metadata) }],
  file: (block) => [toDocument(block, fileSource(block), { title: block.filename })],
  "text-plain": (block) => [
    toDocument(block, textSource(block), { title: block.title, context: block.context }),
  ],
};

const api = "Anthropic";

function toDocument(
  block: FileBlock | PlainTextBlock,
  source: JsonObject,
  fields: { readonly title: string | undefined; readonly context?: string | undefined },
): JsonObject {
  return { type: "document", source, ...requestFields({ ...fields }), ...ownFieldsIn(block.metadata) };
}

function imageSource(block: ImageBlock): JsonObject {
  const { fileId } = block;
  if (fileId !== undefined) return { type: "file", file_id: fileId };
  const bytes = base64Of(block);
  if (bytes !== undefined) return { type: "base64", media_type: bytes.mimeType, data: bytes.data };
  if (block.url !== undefined) return { type: "url", url: block.url };
  throw unreadableBlockError(block, api, "a url, data or a fileId");
}

function fileSource(block: FileBlock | PlainTextBlock): JsonObject {
  const { fileId } = block;
  if (fileId !== undefined) return { type: "file", file_id: fileId };
  const bytes = base64Of(block);
  if (bytes === undefined) {
    if (block.url !== undefined) return { type: "url", url: block.url };
    throw unreadableBlockError(block, api, "a url, data or a fileId");
  }
  const { data, mimeType } = bytes;
  if (mimeType === "application/pdf") return { type: "base64", media_type: mimeType, data };
  if (mimeType.startsWith("text/")) return plainText(textOf(data));
  throw invalidRequest(
    `${api} accepts only PDF and plain text documents, but the block has the type ${JSON.stringify(mimeType)}.`,
  );
}

function textSource(block: PlainTextBlock): JsonObject {
  return block.text === undefined ? fileSource(block) : plainText(block.text);
}

function plainText(data: string): JsonObject {
  return { type: "text", media_type: "text/plain", data };
}

/** @throws {ModelError} `invalid_request` if the data is not base64 */
function textOf(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch (cause) {
    throw invalidRequest("The data of a text document is not base64.", { cause });
  }
}
