import type { MessageChunk } from "./chunk.js";
import { mergeUsageNews } from "./usage.js";

/** All that a chunk says besides its content. */
export type MessageFields = Omit<MessageChunk, "content">;

/** Most chunks of a stream are content alone. */
export function hasFields(chunk: MessageChunk): boolean {
  for (const key in chunk) if (key !== "content") return true;
  return false;
}

export function mergeFields(a: MessageFields, b: MessageFields): MessageFields {
  const id = a.id ?? b.id;
  const model = b.model ?? a.model;
  const finishReason = b.finishReason ?? a.finishReason;
  const providerFinishReason = b.providerFinishReason ?? a.providerFinishReason;
  const { usage, usageDelta } = mergeUsageNews(a, b);
  const refusal = a.refusal === undefined ? b.refusal : a.refusal + (b.refusal ?? "");
  const metadata =
    a.metadata === undefined || b.metadata === undefined
      ? (b.metadata ?? a.metadata)
      : { ...a.metadata, ...b.metadata };
  return {
    ...(id === undefined ? undefined : { id }),
    ...(model === undefined ? undefined : { model }),
    ...(finishReason === undefined ? undefined : { finishReason }),
    ...(providerFinishReason === undefined ? undefined : { providerFinishReason }),
    ...(usage === undefined ? undefined : { usage }),
    ...(usageDelta === undefined ? undefined : { usageDelta }),
    ...(refusal === undefined ? undefined : { refusal }),
    ...(metadata === undefined ? undefined : { metadata }),
  };
}
