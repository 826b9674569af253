import { BalancedFold } from "./balanced-fold.js";
import type { MessageChunk } from "../chunk.js";
import { type DeltaBlock, isDelta } from "./delta.js";
import { GrowingBlock, onlyTextOf } from "./growing-block.js";
import { mergeChunk } from "./merge-chunk.js";
import { hasFields } from "./merge-fields.js";

/**
 * Merges chunks one by one, with the result of `mergeChunk()`. Most chunks only append to a text: these are collected
 * and become one chunk when another kind arrives or the value is read.
 */
export class ChunkFold {
  private readonly fold = new BalancedFold(mergeChunk);
  /** The first delta of the current text. */
  private first: DeltaBlock | undefined;
  private growing: GrowingBlock | undefined;

  add(chunk: MessageChunk): void {
    const delta = onlyDelta(chunk);
    if (delta === undefined) {
      this.endText();
      this.fold.add(chunk);
      return;
    }
    const { first, growing } = this;
    if (growing !== undefined && first?.type === delta.type && first.index === delta.index) {
      growing.add(delta);
      return;
    }
    this.endText();
    this.first = delta;
    this.growing = new GrowingBlock(delta);
  }

  /** All chunks merged, or `undefined` without chunks. */
  get value(): MessageChunk | undefined {
    this.endText();
    return this.fold.value;
  }

  private endText(): void {
    const { growing } = this;
    if (growing === undefined) return;
    this.growing = undefined;
    this.fold.add({ content: [growing.shown] });
  }
}

/** The delta of a chunk that only appends to a text. */
function onlyDelta(chunk: MessageChunk): DeltaBlock | undefined {
  const [block] = chunk.content;
  if (block === undefined || chunk.content.length > 1 || hasFields(chunk)) return undefined;
  return isDelta(block) && onlyTextOf(block) !== undefined ? block : undefined;
}
