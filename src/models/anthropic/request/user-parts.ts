import type { JsonObject } from "../../../json/value.js";
import type { FileBlock, PlainTextBlock } from "../../../messages/blocks/media-blocks.js";
import { invalidRequest } from "../../contract/errors.js";
import { requestFields } from "../../loose.js";
import type { BlockWriters } from "../../dialect/content.js";
import { base64Of, type Medium, type MediumData, required } from "../../dialect/media.js";
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
  image: (block) => {
    const source = mediaSource(block, ({ data, mimeType }) => ({
      type: "base64",
      media_type: mimeType,
      data,
    }));
    return [{ type: "image", source, ...ownFieldsIn(block.metadata) }];
  },
  file: (block) => [toDocument(block, mediaSource(block, fileData), { title: block.filename })],
  "text-plain": (block) => {
    const { text, title, context } = block;
    const source = text === undefined ? mediaSource(block, fileData) : plainText(text);
    return [toDocument(block, source, { title, context })];
  },
};

const api = "Anthropic";

function toDocument(
  block: FileBlock | PlainTextBlock,
  source: JsonObject,
  fields: { readonly title: string | undefined; readonly context?: string | undefined },
): JsonObject {
  return { type: "document", source, ...requestFields({ ...fields }), ...ownFieldsIn(block.metadata) };
}

/** @param write the source of data */
function mediaSource(block: Medium, write: (bytes: MediumData) => JsonObject): JsonObject {
  const { fileId } = block;
  if (fileId !== undefined) return { type: "file", file_id: fileId };
  const bytes = base64Of(block);
  if (bytes !== undefined) return write(bytes);
  return { type: "url", url: required(block.url, block, api, "a url, data or a fileId") };
}

function fileData({ data, mimeType }: MediumData): JsonObject {
  if (mimeType === "application/pdf") return { type: "base64", media_type: mimeType, data };
  if (mimeType.startsWith("text/")) return plainText(textOf(data));
  throw invalidRequest(
    `${api} accepts only PDF and plain text documents, but the block has the type ${JSON.stringify(mimeType)}.`,
  );
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
