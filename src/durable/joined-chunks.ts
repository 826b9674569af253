import type { ContentBlock } from "../messages/blocks/blocks.js";
import type { MessageChunk } from "../messages/chunk.js";
import type { Loose } from "../messages/loose.js";

/**
 * Chunks to record: deltas of one block that follow each other are one chunk. The message they add up to is the same,
 * and the record has about the size of the message.
 */
export class JoinedChunks {
  private readonly chunks: MessageChunk[] = [];

  add(chunk: MessageChunk): void {
    const last = this.chunks.at(-1);
    const joined = last === undefined ? undefined : join(last, chunk);
    if (joined === undefined) this.chunks.push(chunk);
    else this.chunks[this.chunks.length - 1] = joined;
  }

  get all(): readonly MessageChunk[] {
    return this.chunks;
  }
}

/** `undefined` if the second chunk is more than a further piece of text. */
function join(last: MessageChunk, next: MessageChunk): MessageChunk | undefined {
  const [before, after] = [last.content[0], next.content[0]];
  if (last.content.length !== 1 || next.content.length !== 1 || Object.keys(next).length !== 1)
    return undefined;
  const block = before === undefined || after === undefined ? undefined : joinBlocks(before, after);
  return block === undefined ? undefined : { ...last, content: [block] };
}

function joinBlocks(before: ContentBlock, after: ContentBlock): ContentBlock | undefined {
  const key = textKeys.get(after.type);
  if (key === undefined || before.type !== after.type) return undefined;
  const [first, second] = [before, after] as readonly unknown[] as readonly [Loose, Loose];
  const text = second[key];
  if (typeof text !== "string" || first["index"] !== second["index"]) return undefined;
  if (Object.keys(after).some((it) => it !== "type" && it !== "index" && it !== key)) return undefined;
  const known = first[key];
  return { ...before, [key]: (typeof known === "string" ? known : "") + text };
}

/** The field with the text of a delta. */
const textKeys: ReadonlyMap<string, string> = new Map([
  ["text", "text"],
  ["reasoning", "reasoning"],
  ["tool_call_chunk", "args"],
  ["server_tool_call_chunk", "args"],
]);
