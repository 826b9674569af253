import type { MediumBlock } from "../../messages/blocks/media-blocks.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import { type JsonObject, withoutUndefined } from "../../json/value.js";
import { mediaKind } from "../../text/bytes/media-kind.js";
import { type Loose, requestFields, nonEmptyText } from "../loose.js";
import { base64Of, type Medium, required } from "../dialect/media.js";

/** Converts `inlineData` (`{mimeType, data}`) or `fileData` (`{mimeType, fileUri}`) to a block. */
export function mediumOf(medium: Loose, metadata: Metadata | undefined): MediumBlock {
  const mimeType = nonEmptyText(medium["mimeType"]);
  const type = mediaKind(mimeType ?? "");
  const filename = type === "file" ? nonEmptyText(medium["displayName"]) : undefined;
  const source = {
    url: nonEmptyText(medium["fileUri"]),
    data: nonEmptyText(medium["data"]),
    mimeType,
    metadata,
    filename,
  };
  return { type, ...withoutUndefined(source) };
}

/** Converts a medium to a part: its bytes, or the URL of a file that Gemini can read. */
export function toMediaPart(block: Medium): JsonObject {
  const inline = base64Of(block);
  if (inline !== undefined) return { inlineData: { mimeType: inline.mimeType, data: inline.data } };
  const fileUri = required(block.url ?? block.fileId, block, "Gemini", "data, a url or a fileId");
  return { fileData: requestFields({ mimeType: block.mimeType, fileUri }) };
}
