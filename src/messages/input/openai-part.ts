import type { ContentBlock } from "../blocks/blocks.js";
import { isRecord, type Loose, stringsIn } from "../loose.js";
import { contentError, textAt } from "../errors.js";
import type { AudioBlock, FileBlock, ImageBlock } from "../blocks/media-blocks.js";

/** Converts a part of the Chat Completions API or of the Responses API. `undefined` for any other type. */
export function fromOpenAIPart(part: Loose, place: string): ContentBlock | undefined {
  switch (part["type"]) {
    case "image_url":
      return toImage(part["image_url"], `${place}.image_url`);
    case "input_audio":
      return toAudio(part["input_audio"], `${place}.input_audio`);
    case "file":
      return isRecord(part["file"]) ? toFile(part["file"], `${place}.file`) : undefined;
    case "input_text":
    case "output_text":
      return { type: "text", text: textAt(`${place}.text`, part["text"]) };
    case "input_image":
      return typeof part["file_id"] === "string"
        ? { type: "image", fileId: part["file_id"], ...detailIn(part) }
        : toImage({ ...part, url: part["image_url"] }, `${place}.image_url`);
    case "input_file":
      return toFile(part, place);
    default:
      return undefined;
  }
}

/** Accepts `{url, detail}`, or the URL alone, which some compatible servers use. */
function toImage(image: unknown, place: string): ImageBlock {
  const fields = isRecord(image) ? image : { url: image };
  return { type: "image", url: textAt(`${place}.url`, fields["url"]), ...detailIn(fields) };
}

function detailIn({ detail }: Loose): Pick<ImageBlock, "detail"> {
  return detail === "auto" || detail === "low" || detail === "high" ? { detail } : {};
}

function toAudio(audio: unknown, place: string): AudioBlock {
  const fields: Loose = isRecord(audio) ? audio : {};
  const data = textAt(`${place}.data`, fields["data"]);
  return { type: "audio", data, mimeType: `audio/${textAt(`${place}.format`, fields["format"])}` };
}

/** Accepts `{file_id}`, `{file_data, filename}` with a `data:` URL or base64, or `{file_url}`. */
function toFile({ file_id, file_data, file_url, filename }: Loose, place: string): FileBlock {
  const name = stringsIn({ filename });
  if (typeof file_data === "string" && !/^data:/i.test(file_data)) {
    const mimeType = mimeTypes.get(name.filename?.replace(/^.*\./s, "").toLowerCase());
    if (mimeType !== undefined) return { type: "file", data: file_data, mimeType, ...name };
    const expected = "a data: URL, or base64 beside a filename whose extension is known";
    throw contentError(`${place}.file_data`, expected, file_data);
  }
  return { type: "file", ...stringsIn({ fileId: file_id, url: file_data ?? file_url }), ...name };
}

const mimeTypes: ReadonlyMap<string | undefined, string> = new Map([
  ["pdf", "application/pdf"],
  ["txt", "text/plain"],
  ["md", "text/markdown"],
  ["csv", "text/csv"],
  ["html", "text/html"],
  ["json", "application/json"],
]);

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
  const metadata = { id: textAt(`${place}.audio.id`, id) };
  return [{ type: "audio", ...stringsIn({ transcript }), metadata }];
}
