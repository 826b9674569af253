import { asList, fieldsOrUndefined, isRecord, type Loose, nonEmptyText, scalarText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { DeltaText, type OutputItem } from "./output-item.js";
import { withoutUndefined } from "../../../json/value.js";

/**
 * Decodes a reasoning item: a reasoning block for each part of the summary, and of the reasoning itself if the server
 * sends it. Every block has the item's id, so that it can be sent back, and the kind of part. The first block also has
 * the encrypted reasoning. An item without visible reasoning becomes one empty block.
 */
export function reasoningItem(item: Loose, draft: ChunkDraft): OutputItem {
  const id = nonEmptyText(item["id"]);
  /** Parts by kind and index. */
  const parts = new Map<string, DeltaText>();
  let firstBlock: number | undefined;

  const write = (kind: PartKind, index: unknown, text: unknown, how: "add" | "rest"): void => {
    const key = `${kind}:${scalarText(index)}`;
    const part = parts.get(key) ?? new DeltaText();
    parts.set(key, part);
    const first = withoutUndefined({ id, type: kind });
    const block = draft.write("reasoning", part, part[how](text), undefined, first);
    firstBlock ??= block;
  };
  const endParts = (kind: PartKind, list: unknown): void => {
    asList(list).forEach((part, index) => {
      if (isRecord(part)) write(kind, index, part["text"], "rest");
    });
  };
  return {
    read(event) {
      // llama-server sends no index.
      const { summary_index = 0, content_index = 0 } = event;
      switch (event["type"]) {
        case "response.reasoning_summary_text.delta":
          write("summary_text", summary_index, event["delta"], "add");
          break;
        case "response.reasoning_summary_text.done":
          write("summary_text", summary_index, event["text"], "rest");
          break;
        case "response.reasoning_text.delta":
          write("reasoning_text", content_index, event["delta"], "add");
          break;
        case "response.reasoning_text.done":
          write("reasoning_text", content_index, event["text"], "rest");
          break;
      }
    },
    end(item) {
      endParts("summary_text", item["summary"]);
      endParts("reasoning_text", item["content"]);
      const metadata = fieldsOrUndefined({
        id: firstBlock === undefined ? id : undefined,
        encrypted_content: nonEmptyText(item["encrypted_content"]),
      });
      draft.write("reasoning", firstBlock ?? parts, undefined, { metadata });
    },
  };
}

/** The part types of OpenAI. */
type PartKind = "summary_text" | "reasoning_text";
