import { type DeltaBlock, joinDelta, isPlainText } from "./delta.js";
import { GrowingText } from "../../text/growing-text.js";

/**
 * A block that receives deltas. Most deltas only append text: they are collected, and a block is created when another
 * kind of delta arrives or the block is read.
 */
export class GrowingBlock {
  private block: DeltaBlock;
  /** The text of the block, set once a delta has appended to it. */
  private text: GrowingText | undefined;
  /** Whether text was appended since `block` was created. */
  private stale = false;

  constructor(block: DeltaBlock) {
    this.block = block;
  }

  add(delta: DeltaBlock): void {
    const piece = onlyTextOf(delta);
    if (piece === undefined || !this.lengthen(piece)) {
      this.block = joinDelta(this.shown, delta);
      this.text = undefined;
    }
  }

  /** An immutable block. The same object until something is added. */
  get shown(): DeltaBlock {
    const { text } = this;
    if (this.stale && text !== undefined) this.block = withText(this.block, text.value);
    this.stale = false;
    return this.block;
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
      return delta.id === undefined && delta.name === undefined && delta.metadata === undefined
        ? delta.args
        : undefined;
    case "audio":
      return undefined;
  }
}

function textOf(block: DeltaBlock): string | undefined {
  switch (block.type) {
    case "text":
      return block.text;
    case "reasoning":
      return block.reasoning;
    case "tool_call_chunk":
    case "server_tool_call_chunk":
      return block.args;
    case "audio":
      return undefined;
  }
}

function withText(block: DeltaBlock, text: string): DeltaBlock {
  switch (block.type) {
    case "text":
      // Spreading costs ten times as much, and most text blocks have no other field.
      return isPlainText(block) && block.index === undefined ? { type: "text", text } : { ...block, text };
    case "reasoning":
      return { ...block, reasoning: text };
    default:
      return { ...block, args: text } as DeltaBlock;
  }
}
