import type { Metadata } from "../../../messages/blocks/metadata.js";
import { isRecord, type Loose, nonEmptyText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { FunctionCalls } from "./function-calls.js";
import { mediumOf } from "../media-parts.js";
import type { Written } from "./segment-ranges.js";
import { ServerTools } from "../server-tools.js";

/**
 * Converts the parts of one message to blocks. Consecutive texts form one block, consecutive thoughts another, and each
 * call its own. A part with a signature ends its block, because Gemini requires the signature on the same part.
 */
export class PartReader {
  private readonly draft: ChunkDraft;
  private readonly calls: FunctionCalls;
  private readonly serverTools: ServerTools;
  private readonly written: { readonly index: number; text: string }[] = [];

  /** @param nameOf the name of our tool, by its name at Gemini. Default: the same */
  constructor(draft: ChunkDraft, nameOf?: (name: string) => string) {
    this.draft = draft;
    this.calls = new FunctionCalls(draft, nameOf);
    this.serverTools = new ServerTools(draft);
  }

  get texts(): readonly Written[] {
    return this.written;
  }

  read(part: unknown): void {
    if (!isRecord(part)) return;
    const { text, thought, functionCall, inlineData, fileData, ...others } = part;
    const kept = metadataOf(others);
    if (typeof text === "string") {
      this.readText(text, thought === true ? "reasoning" : "text", kept);
      return;
    }
    const about = thought === true ? { ...kept, thought } : kept;
    if (isRecord(functionCall)) {
      this.draft.run = undefined;
      this.calls.read(functionCall, about);
    } else if (isRecord(inlineData)) this.readMedium(inlineData, about);
    else if (isRecord(fileData)) this.readMedium(fileData, about);
    else this.readOther(part);
  }

  /** Ends a call whose end was omitted. */
  end(): void {
    this.calls.end();
  }

  private readText(text: string, type: "text" | "reasoning", kept: Metadata | undefined): void {
    const index = this.draft.write(type, undefined, nonEmptyText(text), { metadata: kept });
    if (index === undefined) return;
    this.endSigned(kept);
    if (type === "reasoning") return;
    const last = this.written.at(-1);
    if (last?.index === index) last.text += text;
    else this.written.push({ index, text });
  }

  /** Speech arrives in pieces, other media whole. */
  private readMedium(medium: Loose, kept: Metadata | undefined): void {
    const block = mediumOf(medium, kept);
    if (block.type === "audio") {
      this.draft.add({ ...block, index: this.draft.runOf("audio") });
      this.endSigned(kept);
    } else {
      this.draft.run = undefined;
      this.draft.add(block);
    }
  }

  private readOther(part: Loose): void {
    this.draft.run = undefined;
    if (!this.serverTools.read(part) && Object.keys(part).length > 0) this.draft.addOther(part);
  }

  /** A signature ends its block. */
  private endSigned(kept: Metadata | undefined): void {
    if (nonEmptyText(kept?.["thoughtSignature"]) !== undefined) this.draft.run = undefined;
  }
}

/** The fields of a part that have a value. */
function metadataOf(fields: Loose): Metadata | undefined {
  const kept = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as Metadata);
}
