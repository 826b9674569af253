import type { MessageChunk } from "../chunk.js";
import { isDelta, joinDelta } from "./delta.js";
import { onlyTextOf } from "./growing-block.js";
import { hasFields } from "./merge-fields.js";

/**
 * Keeps chunks in about the size of their message: those that only append text are joined to the chunk before. The
 * message that they add up to is the same. A journal replays them as chunks, which a message cannot become again.
 */
export class JoinedChunks {
  private readonly chunks: MessageChunk[] = [];

  add(chunk: MessageChunk): void {
    const last = this.chunks.at(-1);
    const joined = last && appended(last, chunk);
    if (joined === undefined) this.chunks.push(chunk);
    else this.chunks[this.chunks.length - 1] = joined;
  }

  get all(): readonly MessageChunk[] {
    return this.chunks;
  }
}

/** The chunk with the text of the next one; `undefined` if that has anything else. */
function appended(chunk: MessageChunk, next: MessageChunk): MessageChunk | undefined {
  const [block, delta] = [chunk.content[0], next.content[0]];
  if (block === undefined || delta === undefined || chunk.content.length + next.content.length > 2) return;
  if (!isDelta(delta) || block.type !== delta.type || block.index !== delta.index) return;
  if (hasFields(next) || onlyTextOf(delta) === undefined) return;
  return { ...chunk, content: [joinDelta(block, delta)] };
}
