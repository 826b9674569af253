import type { JsonValue } from "../../../json/value.js";
import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import type { AudioBlock } from "../../../messages/blocks/media-blocks.js";
import { asNumber, withoutUndefined, type Loose, asRecord, fieldsOrUndefined, nonEmptyText } from "../../loose.js";

/**
 * `delta.audio`: what a piece of speech adds. Its id is how it goes back to the model. The format is the one that was
 * asked for (a stream has `pcm16` only, 24 kHz), and not named in the answer.
 */
export function mapAudio(audio: Loose, index: number): AudioBlock {
  const metadata = fieldsOrUndefined({ id: nonEmptyText(audio["id"]), expires_at: asNumber(audio["expires_at"]) });
  return {
    type: "audio",
    index,
    ...withoutUndefined({ data: nonEmptyText(audio["data"]), transcript: nonEmptyText(audio["transcript"]), metadata }),
  };
}

/** A picture that the model made, as OpenRouter sends it: `{type: "image_url", image_url: {url}}`. */
export function mapImage(image: unknown): ContentBlock {
  const url = nonEmptyText(asRecord(asRecord(image)["image_url"])["url"]);
  return url === undefined ? { type: "non_standard", value: image as JsonValue } : { type: "image", url };
}

/** A part of a content that is neither text nor thought. */
export function mapPart(part: Loose): ContentBlock {
  return part["type"] === "image_url" ? mapImage(part) : { type: "non_standard", value: part as JsonValue };
}
