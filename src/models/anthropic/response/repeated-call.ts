import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import { mergeMetadata } from "../../../messages/blocks/metadata.js";
import type { CallChunkBlock } from "../../../messages/merge/delta.js";
import type { BlockReader } from "./block-readers.js";

/**
 * Reads a call and says at its end what its arguments were.
 *
 * @param isGiven whether a call with these arguments was given before
 * @param waits whether to give the call at its end only, and not if it repeats another
 */
export function noticing(
  reader: BlockReader,
  isGiven: (args: string) => boolean,
  waits: boolean,
): BlockReader {
  let whole: CallChunkBlock | undefined;
  let args = "";
  const note = (block: ContentBlock | undefined): ContentBlock | undefined => {
    if (block?.type !== "tool_call_chunk") return block;
    args += block.args ?? "";
    if (!waits) return block;
    const metadata = mergeMetadata(whole?.metadata, block.metadata);
    whole = { ...whole, ...block, args, ...(metadata !== undefined && { metadata }) };
    return undefined;
  };
  return {
    begin: () => note(reader.begin()),
    read: (delta) => note(reader.read(delta)),
    end: () => {
      const last = note(reader.end());
      const repeats = isGiven(args);
      return waits ? (repeats ? undefined : whole) : last;
    },
    cut: () => (waits ? undefined : reader.cut?.()),
  };
}
