import type { MessageChunk } from "../chunk.js";
import { addLists, mergeMetadata } from "../blocks/metadata.js";
import type { Mutable } from "./mutable.js";
import { mergeUsageUpdates } from "../usage.js";

export type MessageFields = Omit<MessageChunk, "content">;

/** Whether a chunk has more than content. Most chunks have not. */
export function hasFields(chunk: MessageFields): boolean {
  for (const key in chunk) if (key !== "content") return true;
  return false;
}

/** Field by field: spreading costs ten times as much per chunk. */
export function mergeFields(
  a: MessageFields,
  b: MessageFields,
  merged: Mutable<MessageFields> = {},
): MessageFields {
  const id = a.id ?? b.id;
  const model = b.model ?? a.model;
  const finishReason = b.finishReason ?? a.finishReason;
  const providerFinishReason = b.providerFinishReason ?? a.providerFinishReason;
  const { usage, usageDelta } = mergeUsageUpdates(a, b);
  const refusal = a.refusal === undefined ? b.refusal : a.refusal + (b.refusal ?? "");
  const metadata = mergeMetadata(a.metadata, b.metadata);
  const metadataDelta = addLists(a.metadataDelta, b.metadataDelta);
  if (id !== undefined) merged.id = id;
  if (model !== undefined) merged.model = model;
  if (finishReason !== undefined) merged.finishReason = finishReason;
  if (providerFinishReason !== undefined) merged.providerFinishReason = providerFinishReason;
  if (usage !== undefined) merged.usage = usage;
  if (usageDelta !== undefined) merged.usageDelta = usageDelta;
  if (refusal !== undefined) merged.refusal = refusal;
  if (metadata !== undefined) merged.metadata = metadata;
  if (metadataDelta !== undefined) merged.metadataDelta = metadataDelta;
  return merged;
}
