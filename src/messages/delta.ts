import type {
  ContentBlock,
  ReasoningBlock,
  ServerToolCallChunkBlock,
  TextBlock,
  ToolCallChunkBlock,
} from "./blocks.js";
import { joinBase64 } from "./base64.js";
import type { AudioBlock } from "./media-blocks.js";

/** A block that can be written piece by piece. */
export type DeltaBlock = TextBlock | ReasoningBlock | AudioBlock | CallChunkBlock;

/** A call that is being written, of a tool of ours or of the provider's. */
export type CallChunkBlock = ToolCallChunkBlock | ServerToolCallChunkBlock;

export function isDelta(block: ContentBlock): block is DeltaBlock {
  switch (block.type) {
    case "text":
    case "reasoning":
    case "audio":
    case "tool_call_chunk":
    case "server_tool_call_chunk":
      return true;
    default:
      return false;
  }
}

function isCallChunk(block: ContentBlock): block is CallChunkBlock {
  return block.type === "tool_call_chunk" || block.type === "server_tool_call_chunk";
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
    return isCallChunk(delta) && startsAnother(block as CallChunkBlock, delta) ? -1 : i;
  }
  return -1;
}

/** The block with what the delta adds. Both are of one type. */
export function joinDelta(block: DeltaBlock, delta: DeltaBlock): DeltaBlock {
  const joined = join(block, delta);
  if (delta.metadata === undefined) return joined;
  return { ...joined, metadata: { ...block.metadata, ...delta.metadata } };
}

function join(block: DeltaBlock, delta: DeltaBlock): DeltaBlock {
  switch (block.type) {
    case "text":
      return joinTexts(block, delta as TextBlock);
    case "reasoning":
      return { ...block, reasoning: block.reasoning + (delta as ReasoningBlock).reasoning };
    case "audio":
      return joinAudio(block, delta as AudioBlock);
    case "tool_call_chunk":
    case "server_tool_call_chunk":
      return joinCalls(block, delta as CallChunkBlock);
  }
}

function startsAnother(block: CallChunkBlock, delta: CallChunkBlock): boolean {
  return delta.id !== undefined && delta.id !== block.id;
}

function joinTexts(block: TextBlock, { text, annotations }: TextBlock): TextBlock {
  const joined = { ...block, text: block.text + text };
  if (annotations === undefined) return joined;
  return { ...joined, annotations: [...(block.annotations ?? []), ...annotations] };
}

/** What is said of the whole, such as the MIME type, comes with any of the deltas. */
function joinAudio(block: AudioBlock, delta: AudioBlock): AudioBlock {
  const { data, transcript, index: _index, ...whole } = delta;
  return {
    ...whole,
    ...block,
    ...(data === undefined ? undefined : { data: joinBase64(block.data ?? "", data) }),
    ...(transcript === undefined ? undefined : { transcript: (block.transcript ?? "") + transcript }),
  };
}

/** Most deltas add to the arguments alone. */
function joinCalls(block: CallChunkBlock, { name, args }: CallChunkBlock): CallChunkBlock {
  const joined = args === undefined ? block : { ...block, args: (block.args ?? "") + args };
  return name === undefined ? joined : { ...joined, name: (block.name ?? "") + name };
}
