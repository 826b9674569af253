import type { ContentBlock, ReasoningBlock, TextBlock, ToolCallChunkBlock } from "./blocks.js";

/** A block that can be written piece by piece. */
export type DeltaBlock = TextBlock | ReasoningBlock | ToolCallChunkBlock;

export function isDelta(block: ContentBlock): block is DeltaBlock {
  const { type } = block;
  return type === "text" || type === "reasoning" || type === "tool_call_chunk";
}

/**
 * The place of the block that a delta continues: the last one of its type and index. -1 if it begins a block of its own.
 *
 * Some servers give every call index 0, so two calls that share an index but not an id are two (langchain#34807). A
 * delta with an id does not continue a block without one either: what stands before it may belong to another call, so
 * that merging them first would give another result than merging from the start.
 */
export function findContinued(blocks: readonly ContentBlock[], delta: DeltaBlock): number {
  for (let i = blocks.length - 1; i >= 0; i--) {
    const block = blocks[i] as ContentBlock;
    if (block.type !== delta.type || (block.index ?? 0) !== (delta.index ?? 0)) continue;
    return delta.type === "tool_call_chunk" && startsAnother(block as ToolCallChunkBlock, delta) ? -1 : i;
  }
  return -1;
}

/** The block with what the delta adds. Both are of one type. */
export function joinDelta(block: DeltaBlock, delta: DeltaBlock): DeltaBlock {
  switch (block.type) {
    case "text":
      return { ...block, text: block.text + (delta as TextBlock).text };
    case "reasoning":
      return { ...block, reasoning: block.reasoning + (delta as ReasoningBlock).reasoning };
    case "tool_call_chunk":
      return joinCalls(block, delta as ToolCallChunkBlock);
  }
}

function startsAnother(block: ToolCallChunkBlock, delta: ToolCallChunkBlock): boolean {
  return delta.id !== undefined && delta.id !== block.id;
}

function joinCalls(block: ToolCallChunkBlock, delta: ToolCallChunkBlock): ToolCallChunkBlock {
  const { name, args } = delta;
  return {
    ...block,
    ...(name === undefined ? undefined : { name: (block.name ?? "") + name }),
    ...(args === undefined ? undefined : { args: (block.args ?? "") + args }),
  };
}
