import type { Metadata } from "../../../messages/blocks/metadata.js";
import { isRecord, type Loose, nonEmptyText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { functionCalls } from "./function-calls.js";
import { mediumOf } from "../media-parts.js";
import type { Written } from "./segment-ranges.js";
import { serverToolReader } from "../server-tools.js";

export interface PartReader {
  readonly texts: readonly Written[];
  read(part: unknown): void;
  /** Ends a call whose end was omitted. */
  end(): void;
}

/**
 * Consecutive texts form one block, consecutive thoughts another, and each call its own. A part with a signature ends
 * its block, because Gemini requires the signature on the same part.
 */
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
