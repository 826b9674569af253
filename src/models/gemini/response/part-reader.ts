import type { JsonValue } from "../../../json/value.js";
import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import type { Metadata } from "../../../messages/blocks/metadata.js";
import { isRecord, type Loose, nonEmptyText } from "../../loose.js";
import { FunctionCalls } from "./function-calls.js";
import { mediumOf } from "../media-parts.js";
import type { Written } from "./segment-ranges.js";
import { ServerTools } from "../server-tools.js";

/**
 * Converts the parts of one message to blocks. Consecutive texts form one block, consecutive thoughts another, and each
 * call its own. A part with a signature ends its block, because Gemini requires the signature on the same part.
 */
export class PartReader {
  private blocks = 0;
  private readonly next = (): number => this.blocks++;
  private readonly calls = new FunctionCalls(this.next);
  private readonly serverTools = new ServerTools(this.next);
  private readonly written: { readonly index: number; text: string }[] = [];
  /** The block that the next part may continue. */
  private run: { readonly type: RunType; readonly index: number } | undefined;

  /** Whether the message has a function call. */
  get called(): boolean {
    return this.calls.any;
  }

  get texts(): readonly Written[] {
    return this.written;
  }

  read(part: unknown, blocks: ContentBlock[]): void {
    if (!isRecord(part)) return;
    const { text, thought, functionCall, inlineData, fileData, ...others } = part;
    const kept = metadataOf(others);
    if (typeof text === "string") {
      this.readText(text, thought === true ? "reasoning" : "text", kept, blocks);
      return;
    }
    const about = thought === true ? { ...kept, thought } : kept;
    if (isRecord(functionCall)) {
      this.run = undefined;
      blocks.push(...this.calls.read(functionCall, about));
    } else if (isRecord(inlineData)) this.readMedium(inlineData, about, blocks);
    else if (isRecord(fileData)) this.readMedium(fileData, about, blocks);
    else this.readOther(part, blocks);
  }

  /** Returns calls whose end was omitted. */
  end(): ContentBlock[] {
    return this.calls.end();
  }

  private readText(
    text: string,
    type: "text" | "reasoning",
    kept: Metadata | undefined,
    blocks: ContentBlock[],
  ): void {
    if (text === "" && kept === undefined) return;
    const index = this.place(type, kept);
    const metadata = kept === undefined ? undefined : { metadata: kept };
    blocks.push(
      type === "text" ? { type, index, text, ...metadata } : { type, index, reasoning: text, ...metadata },
    );
    if (type === "reasoning") return;
    const last = this.written.at(-1);
    if (last?.index === index) last.text += text;
    else this.written.push({ index, text });
  }

  /** Speech arrives in pieces, other media whole. */
  private readMedium(medium: Loose, kept: Metadata | undefined, blocks: ContentBlock[]): void {
    const block = mediumOf(medium, kept);
    if (block.type === "audio") blocks.push({ ...block, index: this.place("audio", kept) });
    else {
      this.run = undefined;
      blocks.push(block);
    }
  }

  private readOther(part: Loose, blocks: ContentBlock[]): void {
    this.run = undefined;
    const block = this.serverTools.read(part);
    if (block !== undefined) blocks.push(block);
    else if (Object.keys(part).length > 0) blocks.push({ type: "non_standard", value: part as JsonValue });
  }

  /** The index of the block for a piece of this type. */
  private place(type: RunType, kept: Metadata | undefined): number {
    const index = this.run?.type === type ? this.run.index : this.next();
    this.run = nonEmptyText(kept?.["thoughtSignature"]) === undefined ? { type, index } : undefined;
    return index;
  }
}

/** The fields of a part that have a value. */
function metadataOf(fields: Loose): Metadata | undefined {
  const kept = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as Metadata);
}

type RunType = "text" | "reasoning" | "audio";
