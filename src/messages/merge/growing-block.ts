import type { Annotation } from "../blocks/annotations.js";
import type { TextBlock } from "../blocks/blocks.js";
import type { AudioBlock } from "../blocks/media-blocks.js";
import { type DeltaBlock, joinDelta, isPlainText } from "./delta.js";
import { Base64Text } from "../../text/bytes/base64.js";
import { showList } from "./growing-lists.js";
import type { Loose } from "../loose.js";
import type { Mutable } from "./mutable.js";
import { GrowingText } from "../../text/growing-text.js";

/** A block that receives deltas. Texts are collected until another kind of delta arrives or the block is read. */
export class GrowingBlock {
  private block: DeltaBlock;
  /** The text of the block, set once a delta has appended to it. */
  private text: GrowingText | undefined;
  /** The annotations of a text, set once a delta has added some, and `text` with them. */
  private annotations: Annotation[] | undefined;
  private data: Base64Text | undefined;
  private stale = false;

  constructor(block: DeltaBlock) {
    this.block = block;
  }

  add(delta: DeltaBlock): void {
    if (delta.type === "audio") {
      this.addAudio(delta);
      return;
    }
    const piece = onlyTextOf(delta);
    if (piece !== undefined && this.lengthen(piece)) return;
    if (delta.type === "text" && delta.metadata === undefined) {
      this.addAnnotated(delta);
      return;
    }
    this.block = joinDelta(this.shown, delta);
    this.text = undefined;
    this.annotations = undefined;
  }

  /** An immutable block. The same object until something is added. */
  get shown(): DeltaBlock {
    if (!this.stale) return this.block;
    this.stale = false;
    const { text, annotations, data } = this;
    if (text !== undefined)
      this.block =
        annotations === undefined
          ? withText(this.block, text.value)
          : annotated(this.block as TextBlock, text.value, annotations);
    if (data !== undefined) this.block = { ...(this.block as AudioBlock), data: data.value };
    return this.block;
  }

  private addAnnotated({ text, annotations = [] }: TextBlock): void {
    this.annotations ??= [...((this.block as TextBlock).annotations ?? [])];
    for (const annotation of annotations) this.annotations.push(annotation);
    this.lengthen(text);
  }

  private addAudio({ data, ...others }: AudioBlock): void {
    const { block } = this;
    if (data !== undefined) {
      this.stale = true;
      this.data ??= new Base64Text((block as AudioBlock).data ?? "");
      this.data.add(data);
    }
    this.block = joinDelta(block, others);
  }

  private lengthen(piece: string): boolean {
    if (this.text === undefined) {
      const text = textOf(this.block);
      if (text === undefined) return false;
      this.text = new GrowingText(text);
    }
    this.text.add(piece);
    this.stale = true;
    return true;
  }
}

/** The text that a delta appends, if it changes nothing else. */
export function onlyTextOf(delta: DeltaBlock): string | undefined {
  switch (delta.type) {
    case "text":
      return isPlainText(delta) ? delta.text : undefined;
    case "reasoning":
      return delta.metadata === undefined ? delta.reasoning : undefined;
    case "tool_call_chunk":
    case "server_tool_call_chunk":
      return [delta.id, delta.name, delta.raw, delta.error, delta.repairs, delta.metadata].every(
        (field) => field === undefined,
      )
        ? delta.args
        : undefined;
    case "audio":
      return undefined;
  }
}

function textOf(block: DeltaBlock): string | undefined {
  return (block as unknown as Loose)[grows[block.type]] as string | undefined;
}

/** The field that a delta appends a text to. The data of audio is no text. */
const grows: Readonly<Record<DeltaBlock["type"], string>> = {
  text: "text",
  reasoning: "reasoning",
  audio: "",
  tool_call_chunk: "args",
  server_tool_call_chunk: "args",
};

/** The annotations are copied when they are read. */
function annotated(
  { index, metadata }: TextBlock,
  text: string,
  annotations: readonly Annotation[],
): TextBlock {
  const shown: Mutable<TextBlock> = { type: "text", text };
  if (index !== undefined) shown.index = index;
  if (metadata !== undefined) shown.metadata = metadata;
  showList(shown, "annotations", annotations);
  return shown;
}

function withText(block: DeltaBlock, text: string): DeltaBlock {
  // Spreading costs ten times as much, and most text blocks have no other field.
  if (isPlainText(block) && block.index === undefined) return { type: "text", text };
  return { ...block, [grows[block.type]]: text };
}
