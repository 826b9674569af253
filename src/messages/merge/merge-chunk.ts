import type { ContentBlock } from "../blocks/blocks.js";
import type { MessageChunk } from "../chunk.js";
import {
  type DeltaBlock,
  findContinued,
  isDelta,
  isPlainText,
  joinDelta,
  lastPlaces,
  placeKey,
} from "./delta.js";
import { appendText } from "../../text/growing-text.js";
import { mergeFields } from "./merge-fields.js";
import type { Mutable } from "./mutable.js";

/**
 * Merges two neighbouring chunks into one. Pure and associative: `mergeChunk(a, mergeChunk(b, c))` equals
 * `mergeChunk(mergeChunk(a, b), c)`.
 *
 * Texts, names, arguments and refusals are joined. The first `id` is kept. For `model`, the finish reason, and each
 * field of `usage` and `metadata`, the last value wins. Costs O(blocks), independent of the length of the texts.
 *
 * It merges any part of a stream. For a whole stream use `mergeChunks()`, which sees its start, and so may end calls and
 * parse their arguments as they arrive.
 *
 * @example
 * ```ts
 * import { mergeChunk } from "millrace";
 *
 * const merged = mergeChunk(
 *   { content: [{ type: "tool_call_chunk", id: "a", name: "get_" }] },
 *   { content: [{ type: "tool_call_chunk", name: "weather", args: '{"city"' }], finishReason: "length" },
 * );
 * console.log(merged.content, merged.finishReason);
 * ```
 */
export function mergeChunk(a: MessageChunk, b: MessageChunk): MessageChunk {
  const merged: Mutable<MessageChunk> = { content: mergeContent(a.content, b.content) };
  mergeFields(a, b, merged);
  return merged;
}

function mergeContent(a: readonly ContentBlock[], b: readonly ContentBlock[]): readonly ContentBlock[] {
  // Most answers are one growing text. The general path takes twice as long.
  if (a.length === 1 && b.length === 1) {
    const block = a[0] as ContentBlock;
    const delta = b[0] as ContentBlock;
    if (isPlainText(block) && isPlainText(delta) && block.index === delta.index) {
      const text = appendText(block.text, delta.text);
      return [
        block.index === undefined ? { type: "text", text } : { type: "text", text, index: block.index },
      ];
    }
    if (isDelta(delta) && findContinued(a, delta) === 0) return [joinDelta(block as DeltaBlock, delta)];
  }
  return mergeBlocks(a, b);
}

function mergeBlocks(a: readonly ContentBlock[], b: readonly ContentBlock[]): readonly ContentBlock[] {
  if (b.length === 0) return a;
  const merged = a.slice();
  const places = b.length > fewBlocks ? lastPlaces(a) : undefined;
  for (const block of b) {
    const at = isDelta(block) ? findContinued(merged, block, places) : -1;
    if (at >= 0) merged[at] = joinDelta(merged[at] as DeltaBlock, block as DeltaBlock);
    else {
      places?.set(placeKey(block), merged.length);
      merged.push(block);
    }
  }
  return merged;
}

/** For so many blocks, searching takes less time than a map of the others. */
const fewBlocks = 8;
