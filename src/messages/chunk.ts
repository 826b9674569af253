import type { ContentBlock } from "./blocks/blocks.js";
import type { AssistantFields } from "./message.js";
import type { Metadata, MetadataDelta } from "./blocks/metadata.js";
import type { Usage } from "./usage.js";

/**
 * One piece of a message that a model is streaming. All fields except `content` are optional and present only when the
 * chunk changes them.
 *
 * A `text`, `reasoning`, `audio`, `tool_call_chunk` or `server_tool_call_chunk` block in `content` is a delta. It
 * continues the message's block with the same type and the same `index` (an absent index is 0). A tool call with a
 * different `id` at an index that is already taken starts a new call. All other blocks arrive whole.
 *
 * `usage` is the count so far; each of its fields replaces the earlier value. `usageDelta` is added to it. `metadata`
 * and `metadataDelta` work the same way, key by key: the log probabilities of a chunk are appended to earlier ones.
 */
export interface MessageChunk extends AssistantFields {
  readonly content: readonly ContentBlock[];
  /** The id of the message. */
  readonly id?: string;
  readonly metadata?: Metadata;
  readonly metadataDelta?: MetadataDelta;
  readonly usageDelta?: Usage;
}
