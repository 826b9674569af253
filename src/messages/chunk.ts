import type { ContentBlock } from "./blocks.js";
import type { AssistantFields, Metadata } from "./message.js";

/**
 * One step of a message that a model is writing: what it adds. Every field but `content` is there only when the step
 * says something new.
 *
 * A `text`, `reasoning` or `tool_call_chunk` block in `content` is a delta: it continues the block of the message that
 * has the same type and the same `index` (an absent index is 0). A tool call that names another `id` at an index already
 * taken is another call. All other blocks come whole.
 */
export interface MessageChunk extends AssistantFields {
  readonly content: readonly ContentBlock[];
  /** Of the message. */
  readonly id?: string;
  readonly metadata?: Metadata;
}
