import type { ContentBlock } from "./blocks/blocks.js";
import type { AssistantFields } from "./message.js";
import type { Metadata, MetadataDelta } from "./blocks/metadata.js";
import type { Usage } from "./usage.js";

/**
 * One step of a message that a model is writing: what it adds. Every field but `content` is there only when the step
 * says something new.
 *
 * A `text`, `reasoning`, `audio`, `tool_call_chunk` or `server_tool_call_chunk` block in `content` is a delta: it
 * continues the block of the message that has the same type and the same `index` (an absent index is 0). A tool call that
 * names another `id` at an index already taken is another call. All other blocks come whole.
 *
 * `usage` is the count so far, and takes the place of an earlier one, field by field; `usageDelta` is added to it. So with
 * `metadata`, key by key, and `metadataDelta`: the likelihoods of this step's tokens come behind those of the steps before.
 */
export interface MessageChunk extends AssistantFields {
  readonly content: readonly ContentBlock[];
  /** Of the message. */
  readonly id?: string;
  readonly metadata?: Metadata;
  readonly metadataDelta?: MetadataDelta;
  readonly usageDelta?: Usage;
}
