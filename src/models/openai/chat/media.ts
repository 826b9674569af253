import type { JsonValue } from "../../../json/value.js";
import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import type { AudioBlock } from "../../../messages/blocks/media-blocks.js";
import { count, known, type Loose, record, someOf, textIn } from "../../loose.js";

/**
 * `delta.audio`: what a piece of speech adds. Its id is how it goes back to the model. The format is the one that was
 * asked for (a stream has `pcm16` only, 24 kHz), and not named in the answer.
 */
export function audioOf(audio: Loose, index: number): AudioBlock {
  const metadata = someOf({ id: textIn(audio["id"]), expires_at: count(audio["expires_at"]) });
  return {
    type: "audio",
    index,
    ...known({ data: textIn(audio["data"]), transcript: textIn(audio["transcript"]), metadata }),
  };
}

/** A picture that the model made, as OpenRouter sends it: `{type: "image_url", image_url: {url}}`. */
export function imageOf(image: unknown): ContentBlock {
  const url = textIn(record(record(image)["image_url"])["url"]);
  return url === undefined ? { type: "non_standard", value: image as JsonValue } : { type: "image", url };
}

/** A part of a content that is neither text nor thought. */
export function partOf(part: Loose): ContentBlock {
  return part["type"] === "image_url" ? imageOf(part) : { type: "non_standard", value: part as JsonValue };
}
