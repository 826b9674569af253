import type { JsonObject } from "../../json/value.js";
import type { AudioBlock } from "../../messages/media-blocks.js";
import { base64Of, unreadable } from "../media.js";

/** `{data, format}`: `wav` or `mp3`, as OpenAI calls them. */
export function audioSource(block: AudioBlock): JsonObject {
  const source = base64Of(block);
  if (source === undefined) throw unreadable(block, "OpenAI", "data");
  return { data: source.data, format: source.mimeType.replace(/^audio\/(?:x-)?/, "").replace("mpeg", "mp3") };
}

/** For a file without a name: OpenAI wants one. */
export function nameOfFile(mimeType: string): string {
  return `file.${mimeType.replace(/^.*\//, "").replace(/[^A-Za-z0-9].*$/, "")}`;
}
