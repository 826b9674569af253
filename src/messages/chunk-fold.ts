import { BalancedFold } from "./balanced-fold.js";
import type { ContentBlock } from "./blocks.js";
import type { MessageChunk } from "./chunk.js";
import { type DeltaBlock, isPlainText } from "./delta.js";
import { grown } from "./grown.js";
import { mergeChunk } from "./merge-chunk.js";
import { hasFields } from "./merge-fields.js";

/**
 * Chunks that come one by one, merged as `mergeChunk()` does it. Most of them say nothing but how a text goes on: those
 * only lengthen it, and no chunk is made of them before another kind comes or somebody looks.
 */
export class ChunkFold {
  private readonly fold = new BalancedFold(mergeChunk);
  /** The first delta of the text that grows, and that text. */
  private first: DeltaBlock | undefined;
  private text = "";

  add(chunk: MessageChunk): void {
    const block = chunk.content.length === 1 && !hasFields(chunk) ? chunk.content[0] : undefined;
    const text = block === undefined ? undefined : textOfDelta(block);
    if (text === undefined) {
      this.endText();
      this.fold.add(chunk);
      return;
    }
    const delta = block as DeltaBlock;
    if (this.first?.type === delta.type && this.first.index === delta.index) {
      this.text = grown(this.text, text);
      return;
    }
    this.endText();
    this.first = delta;
    this.text = text;
  }

  /** All of them; `undefined` if there were none. */
  get value(): MessageChunk | undefined {
    this.endText();
    return this.fold.value;
  }

  private endText(): void {
    const { first, text } = this;
    if (first === undefined) return;
    this.first = undefined;
    this.fold.add({ content: [withText(first, text)] });
  }
}

/** What a delta adds to its text, if it says nothing else. */
function textOfDelta(block: ContentBlock): string | undefined {
  switch (block.type) {
    case "text":
      return isPlainText(block) ? block.text : undefined;
    case "reasoning":
      return block.metadata === undefined ? block.reasoning : undefined;
    case "tool_call_chunk":
    case "server_tool_call_chunk":
      return block.id === undefined && block.name === undefined && block.metadata === undefined
        ? block.args
        : undefined;
    default:
      return undefined;
  }
}

function withText(block: DeltaBlock, text: string): DeltaBlock {
  switch (block.type) {
    case "text":
      return { ...block, text };
    case "reasoning":
      return { ...block, reasoning: text };
    default:
      return { ...block, args: text } as DeltaBlock;
  }
}
