import type {
  ContentBlock,
  ReasoningBlock,
  ServerToolCallChunkBlock,
  TextBlock,
  ToolCallChunkBlock,
} from "../blocks/blocks.js";
import { joinBase64 } from "./base64.js";
import { grown } from "./grown.js";
import type { AudioBlock } from "../blocks/media-blocks.js";
import { mergeMetadata } from "../blocks/metadata.js";
import type { Mutable } from "./mutable.js";

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

/** A text that says nothing else. */
export function isPlainText(block: ContentBlock): block is TextBlock {
  return block.type === "text" && block.annotations === undefined && block.metadata === undefined;
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
  const joined: Mutable<DeltaBlock> = join(block, delta);
  const metadata = mergeMetadata(block.metadata, delta.metadata);
  if (metadata !== undefined) joined.metadata = metadata;
  return joined;
}

/**
 * All but the metadata, in a new object. Those that come by the thousand are written field by field, as spreading costs
 * ten times as much.
 */
function join(block: DeltaBlock, delta: DeltaBlock): DeltaBlock {
  switch (block.type) {
    case "text":
      return joinTexts(block, delta as TextBlock);
    case "reasoning":
      return joinThoughts(block, delta as ReasoningBlock);
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

function joinTexts(block: TextBlock, delta: TextBlock): TextBlock {
  const joined: Mutable<TextBlock> = { type: "text", text: grown(block.text, delta.text) };
  if (block.index !== undefined) joined.index = block.index;
  const annotations =
    block.annotations === undefined || delta.annotations === undefined
      ? (block.annotations ?? delta.annotations)
      : [...block.annotations, ...delta.annotations];
  if (annotations !== undefined) joined.annotations = annotations;
  return joined;
}

function joinThoughts(block: ReasoningBlock, delta: ReasoningBlock): ReasoningBlock {
  const joined: Mutable<ReasoningBlock> = {
    type: "reasoning",
    reasoning: grown(block.reasoning, delta.reasoning),
  };
  if (block.index !== undefined) joined.index = block.index;
  return joined;
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

function joinCalls(block: CallChunkBlock, delta: CallChunkBlock): CallChunkBlock {
  const joined: Mutable<CallChunkBlock> = { type: block.type };
  if (block.index !== undefined) joined.index = block.index;
  if (block.id !== undefined) joined.id = block.id;
  const name = joinText(block.name, delta.name);
  if (name !== undefined) joined.name = name;
  const args = joinText(block.args, delta.args);
  if (args !== undefined) joined.args = args;
  return joined;
}

function joinText(text: string | undefined, delta: string | undefined): string | undefined {
  return text === undefined || delta === undefined ? (text ?? delta) : grown(text, delta);
}
