import type { ContentBlock } from "./blocks.js";
import type { MessageChunk } from "./chunk.js";
import { type DeltaBlock, findContinued, isDelta, joinDelta } from "./delta.js";
import { mergeFields } from "./merge-fields.js";
import type { Mutable } from "./mutable.js";

/**
 * Two neighbouring chunks as one that says the same. Pure and associative: `mergeChunk(a, mergeChunk(b, c))` equals
 * `mergeChunk(mergeChunk(a, b), c)`.
 *
 * Texts, names, arguments and refusals are joined. The `id` is the first that is given; `model`, the finish reason, and
 * `usage` and `metadata` field by field, are the last. Costs O(blocks), however long the texts are.
 *
 * For a whole stream use `mergeChunks()`: it parses the arguments of tool calls as they grow.
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
  const [first] = b;
  if (first === undefined) return a;
  // Most answers are one block that grows: slice() would take as long as all the rest.
  if (a.length === 1 && b.length === 1 && isDelta(first) && findContinued(a, first) === 0) {
    return [joinDelta(a[0] as DeltaBlock, first)];
  }
  const merged = a.slice();
  for (const block of b) {
    const at = isDelta(block) ? findContinued(merged, block) : -1;
    if (at < 0) merged.push(block);
    else merged[at] = joinDelta(merged[at] as DeltaBlock, block as DeltaBlock);
  }
  return merged;
}
