import type { ContentBlock } from "../blocks/blocks.js";
import { isRecord, type Loose } from "../loose.js";
import { contentError, textAt } from "./content-error.js";

/** Moves the refusals in the content of an assistant message of OpenAI to its field `refusal`. */
export function withRefusalBeside(input: Loose, contentPlace: string): Loose {
  const { content, refusal } = input;
  if (!Array.isArray(content) || !content.some(isRefusal)) return input;
  const texts = content.flatMap((part: unknown, index) =>
    isRefusal(part) ? [textAt(`${contentPlace}[${index}].refusal`, part["refusal"])] : [],
  );
  const known = typeof refusal === "string" ? refusal : "";
  return { ...input, content: content.filter((part) => !isRefusal(part)), refusal: known + texts.join("") };
}

function isRefusal(part: unknown): part is Loose {
  return isRecord(part) && part["type"] === "refusal";
}

/** The speech of an assistant message of OpenAI. Requests refer to it by its id. */
export function speechBeside({ audio }: Loose, place: string): ContentBlock[] {
  if (audio === undefined || audio === null) return [];
  if (!isRecord(audio)) throw contentError(`${place}.audio`, "an object with an id", audio);
  const { id, transcript } = audio;
  return [
    {
      type: "audio",
      ...(typeof transcript === "string" ? { transcript } : undefined),
      metadata: { id: textAt(`${place}.audio.id`, id) },
    },
  ];
}
