import type { Metadata } from "../../../messages/blocks/metadata.js";
import { isRecord, type Loose, nonEmptyText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { functionCalls } from "./function-calls.js";
import type { MediumBlock } from "../../../messages/blocks/media-blocks.js";
import { withoutUndefined } from "../../../json/value.js";
import { mediaKind } from "../../../text/bytes/media-kind.js";
import type { Written } from "./segment-ranges.js";
import { serverToolReader } from "../server-tools.js";

export interface PartReader {
  readonly texts: readonly Written[];
  read(part: unknown): void;
  /** Ends a call whose end was omitted. */
  end(): void;
}

/** Texts in a row are one block, thoughts another. A signature ends its block: Gemini requires it on the same part. */
export function partReader(draft: ChunkDraft, nameOf?: (name: string) => string): PartReader {
  const calls = functionCalls(draft, nameOf);
  const readServerTool = serverToolReader(draft);
  const texts: { readonly index: number; text: string }[] = [];

  const endSigned = (kept: Metadata | undefined): void => {
    if (nonEmptyText(kept?.["thoughtSignature"]) !== undefined) draft.run = undefined;
  };
  const readText = (text: string, type: "text" | "reasoning", metadata: Metadata | undefined): void => {
    const index = draft.write(type, undefined, nonEmptyText(text), { metadata });
    if (index === undefined) return;
    endSigned(metadata);
    if (type === "reasoning") return;
    const last = texts.at(-1);
    if (last?.index === index) last.text += text;
    else texts.push({ index, text });
  };
  /** Speech arrives in pieces, other media whole. */
  const readMedium = (medium: Loose, kept: Metadata | undefined): void => {
    const block = mediumOf(medium, kept);
    const isSpeech = block.type === "audio";
    draft.add(isSpeech ? { ...block, index: draft.runOf("audio") } : block);
    if (isSpeech) endSigned(kept);
  };
  const read = (part: unknown): void => {
    if (!isRecord(part)) return;
    const { text, thought, functionCall, inlineData, fileData, ...others } = part;
    const kept = metadataOf(others);
    const about = thought === true ? { ...kept, thought } : kept;
    const medium = isRecord(inlineData) ? inlineData : fileData;
    if (typeof text === "string") readText(text, thought === true ? "reasoning" : "text", kept);
    else if (isRecord(functionCall)) {
      draft.run = undefined;
      calls.read(functionCall, about);
    } else if (isRecord(medium)) readMedium(medium, about);
    else {
      draft.run = undefined;
      if (!readServerTool(part) && Object.keys(part).length > 0) draft.addOther(part);
    }
  };
  return { texts, read, end: calls.end };
}

/** The fields of a part that have a value. */
function metadataOf(fields: Loose): Metadata | undefined {
  const kept = Object.entries(fields).filter(([, value]) => (value ?? "") !== "");
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as Metadata);
}

/** Converts `inlineData` (`{mimeType, data}`) or `fileData` (`{mimeType, fileUri}`) to a block. */
function mediumOf(medium: Loose, metadata: Metadata | undefined): MediumBlock {
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
