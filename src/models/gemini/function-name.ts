import type { ContentBlock } from "../../messages/blocks/blocks.js";
import type { MessageChunk } from "../../messages/chunk.js";
import { map } from "../../stream/operators/map.js";
import type { Operator } from "../../stream/operator.js";

/**
 * The name of a tool for Gemini: "Invalid function name. Must start with a letter or an underscore." So `2d` becomes
 * `_2d`, and `_2d` becomes `__2d`, so that no two tools share a name.
 */
export function toGeminiName(name: string): string {
  return /^_*[^a-z_]/i.test(name) ? `_${name}` : name;
}

/** Gives the calls in chunks the names of our tools again. */
export function withOwnNames(): Operator<MessageChunk, MessageChunk> {
  return map((chunk) =>
    chunk.content.some(isRenamed) ? { ...chunk, content: chunk.content.map(withOwnName) } : chunk,
  );
}

function isRenamed(block: ContentBlock): boolean {
  return block.type === "tool_call_chunk" && /^_+[^a-z_]/i.test(block.name ?? "");
}

function withOwnName(block: ContentBlock): ContentBlock {
  if (block.type !== "tool_call_chunk" || !isRenamed(block)) return block;
  return { ...block, name: (block.name ?? "").slice(1) };
}
