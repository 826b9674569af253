import { asList, fieldsOrUndefined, isRecord, type Loose, nonEmptyText, scalarText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { DeltaText, type OutputItem } from "./output-item.js";
import { withoutUndefined } from "../../../json/value.js";

/**
 * Decodes a reasoning item: a reasoning block for each part of the summary, and of the reasoning itself if the server
 * sends it. Every block has the item's id, so that it can be sent back, and the kind of part. The first block also has
 * the encrypted reasoning. An item without visible reasoning becomes one empty block.
 */
export class ReasoningItem implements OutputItem {
  private readonly draft: ChunkDraft;
  private readonly id: string | undefined;
  /** Parts by kind and index. */
  private readonly parts = new Map<string, DeltaText>();
  private firstBlock: number | undefined;

  constructor(item: Loose, draft: ChunkDraft) {
    this.draft = draft;
    this.id = nonEmptyText(item["id"]);
  }

  read(event: Loose): void {
    // llama-server sends no index.
    const { summary_index = 0, content_index = 0 } = event;
    switch (event["type"]) {
      case "response.reasoning_summary_text.delta":
        this.write("summary_text", summary_index, event["delta"], "add");
        break;
      case "response.reasoning_summary_text.done":
        this.write("summary_text", summary_index, event["text"], "rest");
        break;
      case "response.reasoning_text.delta":
        this.write("reasoning_text", content_index, event["delta"], "add");
        break;
      case "response.reasoning_text.done":
        this.write("reasoning_text", content_index, event["text"], "rest");
        break;
    }
  }

  end(item: Loose): void {
    this.endParts("summary_text", item["summary"]);
    this.endParts("reasoning_text", item["content"]);
    const metadata = fieldsOrUndefined({
      id: this.firstBlock === undefined ? this.id : undefined,
      encrypted_content: nonEmptyText(item["encrypted_content"]),
    });
    this.draft.write("reasoning", this.firstBlock ?? this, undefined, { metadata });
  }

  private endParts(kind: PartKind, parts: unknown): void {
    asList(parts).forEach((part, index) => {
      if (isRecord(part)) this.write(kind, index, part["text"], "rest");
    });
  }

  private write(kind: PartKind, index: unknown, text: unknown, how: "add" | "rest"): void {
    const key = `${kind}:${scalarText(index)}`;
    const part = this.parts.get(key) ?? new DeltaText();
    this.parts.set(key, part);
    const first = withoutUndefined({ id: this.id, type: kind });
    const block = this.draft.write("reasoning", part, part[how](text), undefined, first);
    this.firstBlock ??= block;
  }
}

/** The part types of OpenAI. */
type PartKind = "summary_text" | "reasoning_text";
