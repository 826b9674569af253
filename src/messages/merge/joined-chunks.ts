import type { MessageChunk } from "../chunk.js";
import { type DeltaBlock, isDelta } from "./delta.js";
import { GrowingBlock, onlyTextOf } from "./growing-block.js";
import { hasFields } from "./merge-fields.js";

/**
 * Keeps chunks in about the size of their message: deltas of one block that follow each other become one chunk. The
 * message that they add up to is the same.
 */
export class JoinedChunks {
  private readonly chunks: MessageChunk[] = [];
  /** The first delta of the last chunk, while deltas may follow that only append text. */
  private first: DeltaBlock | undefined;
  private growing: GrowingBlock | undefined;

  add(chunk: MessageChunk): void {
    const block = chunk.content.length === 1 ? chunk.content[0] : undefined;
    const delta = block !== undefined && isDelta(block) ? block : undefined;
    if (this.growing !== undefined && delta !== undefined && continues(this.first, delta, chunk)) {
      this.growing.add(delta);
      return;
    }
    this.endText();
    this.chunks.push(chunk);
    this.first = delta;
    this.growing = delta && new GrowingBlock(delta);
  }

  get all(): readonly MessageChunk[] {
    this.endText();
    return this.chunks;
  }

  private endText(): void {
    const { growing, chunks } = this;
    this.growing = undefined;
    if (growing !== undefined && growing.shown !== this.first)
      chunks.push({ ...chunks.pop(), content: [growing.shown] });
  }
}

/** Whether a chunk is only a further piece of the text that began with `first`. */
function continues(first: DeltaBlock | undefined, delta: DeltaBlock, chunk: MessageChunk): boolean {
  return (
    first?.type === delta.type &&
    first.index === delta.index &&
    !hasFields(chunk) &&
    onlyTextOf(delta) !== undefined
  );
}
