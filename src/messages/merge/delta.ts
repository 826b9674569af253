import type {
  ContentBlock,
  ReasoningBlock,
  ServerToolCallChunkBlock,
  TextBlock,
  ToolCallChunkBlock,
} from "../blocks/blocks.js";
import { joinBase64 } from "../../text/bytes/base64.js";
import { appendText } from "../../text/growing-text.js";
import { wordSet } from "../../text/words-in.js";
import type { AudioBlock } from "../blocks/media-blocks.js";
import { mergeMetadata } from "../blocks/metadata.js";
import type { Mutable } from "./mutable.js";

/** A block that can arrive in pieces. */
export type DeltaBlock = TextBlock | ReasoningBlock | AudioBlock | CallChunkBlock;

export type CallChunkBlock = ToolCallChunkBlock | ServerToolCallChunkBlock;

export function isDelta(block: ContentBlock): block is DeltaBlock {
  return deltaTypes.has(block.type);
}

const deltaTypes = wordSet("text reasoning audio tool_call_chunk server_tool_call_chunk");

export function isPlainText(block: ContentBlock): block is TextBlock {
  return block.type === "text" && block.annotations === undefined && block.metadata === undefined;
}

function isCallChunk(block: ContentBlock): block is CallChunkBlock {
  return block.type === "tool_call_chunk" || block.type === "server_tool_call_chunk";
}

/**
 * Finds the block that a delta continues: the last one with its type and index. Returns -1 if the delta starts a block.
 *
 * Some servers send index 0 for every call, so two calls with the same index and different ids are separate
 * (langchain#34807). A delta with an id does not continue a block without one: the earlier text may belong to another
 * call, and then the order of merging would change the result.
 */
export function findContinued(
  blocks: readonly ContentBlock[],
  delta: DeltaBlock,
  places?: BlockPlaces,
): number {
  const at = places === undefined ? lastPlace(blocks, delta) : (places.get(placeKey(delta)) ?? -1);
  return isCallChunk(delta) && at >= 0 && startsAnother(blocks[at] as CallChunkBlock, delta) ? -1 : at;
}

function lastPlace(blocks: readonly ContentBlock[], { type, index = 0 }: DeltaBlock): number {
  let at = blocks.length - 1;
  for (; at >= 0; at--) {
    const block = blocks[at] as ContentBlock;
    if (block.type === type && (block.index ?? 0) === index) break;
  }
  return at;
}

/** The last place of each type and index in a list of blocks. Faster than a search if many blocks are looked up. */
export type BlockPlaces = Map<string, number>;

export function lastPlaces(blocks: readonly ContentBlock[]): BlockPlaces {
  return new Map(blocks.map((block, at) => [placeKey(block), at]));
}

export function placeKey(block: ContentBlock): string {
  const { type, index = 0 } = block as DeltaBlock;
  return `${type} ${index}`;
}

export function joinDelta(block: DeltaBlock, delta: DeltaBlock): DeltaBlock {
  const joined: Mutable<DeltaBlock> = join(block, delta);
  const metadata = mergeMetadata(block.metadata, delta.metadata);
  if (metadata !== undefined) joined.metadata = metadata;
  return joined;
}

/** Frequent types are joined field by field, because spreading costs ten times as much. */
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
  const joined: Mutable<TextBlock> = { type: "text", text: appendText(block.text, delta.text) };
  if (block.index !== undefined) joined.index = block.index;
  const annotations = joinLists(block.annotations, delta.annotations);
  if (annotations !== undefined) joined.annotations = annotations;
  return joined;
}

function joinThoughts(block: ReasoningBlock, delta: ReasoningBlock): ReasoningBlock {
  const joined: Mutable<ReasoningBlock> = {
    type: "reasoning",
    reasoning: appendText(block.reasoning, delta.reasoning),
  };
  if (block.index !== undefined) joined.index = block.index;
  return joined;
}

/** Fields of the whole block, such as the MIME type, may arrive with any delta. */
function joinAudio(block: AudioBlock, delta: AudioBlock): AudioBlock {
  const { data, transcript, index: _index, ...whole } = delta;
  return {
    ...whole,
    ...block,
    ...(data === undefined ? undefined : { data: joinBase64(block.data ?? "", data) }),
    ...(transcript === undefined
      ? undefined
      : { transcript: appendText(block.transcript ?? "", transcript) }),
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
  const raw = delta.raw ?? block.raw;
  if (raw !== undefined) joined.raw = raw;
  const error = delta.error ?? block.error;
  if (error !== undefined) joined.error = error;
  const repairs = joinLists(block.repairs, delta.repairs);
  if (repairs !== undefined) joined.repairs = repairs;
  return joined;
}

function joinLists<T>(
  list: readonly T[] | undefined,
  delta: readonly T[] | undefined,
): readonly T[] | undefined {
  return list === undefined || delta === undefined ? (list ?? delta) : [...list, ...delta];
}

function joinText(text: string | undefined, delta: string | undefined): string | undefined {
  return text === undefined || delta === undefined ? (text ?? delta) : appendText(text, delta);
}
