import { BalancedFold } from "./balanced-fold.js";
import type { MessageChunk } from "../chunk.js";
import { type DeltaBlock, isDelta } from "./delta.js";
import { GrowingBlock, onlyTextOf } from "./growing-block.js";
import { mergeChunk } from "./merge-chunk.js";
import { hasFields } from "./merge-fields.js";

/**
 * Chunks that come one by one, merged as `mergeChunk()` does it. Most of them say nothing but how a text goes on: no chunk
 * is made of those before another kind comes or somebody looks.
 */
export class ChunkFold {
  private readonly fold = new BalancedFold(mergeChunk);
  /** The first delta of the text that grows. */
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

  /** All of them; `undefined` if there were none. */
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

/** What the chunk says, if that is how a text goes on and nothing else. */
function onlyDelta(chunk: MessageChunk): DeltaBlock | undefined {
  const [block] = chunk.content;
  if (block === undefined || chunk.content.length > 1 || hasFields(chunk)) return undefined;
  return isDelta(block) && onlyTextOf(block) !== undefined ? block : undefined;
}
