import { isRecord, type Loose, nonEmptyText, scalarText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { DeltaText } from "./delta-text.js";
import type { OutputItem } from "./output-item.js";
import { withoutUndefined } from "../../../json/value.js";

/**
 * Decodes a reasoning item: a reasoning block for each part of the summary, and of the reasoning itself if the server
 * sends it. Every block has the item's id, so that it can be sent back, and the kind of part. The first block also has
 * the encrypted reasoning. An item without visible reasoning becomes one empty block.
 */
export class ReasoningItem implements OutputItem {
  private readonly id: string | undefined;
  /** Parts by kind and index. */
  private readonly parts = new Map<string, ReasoningPart>();
  private firstBlock: number | undefined;

  constructor(item: Loose) {
    this.id = nonEmptyText(item["id"]);
  }

  read(event: Loose, draft: ChunkDraft): void {
    // llama-server sends no index.
    const { summary_index = 0, content_index = 0 } = event;
    switch (event["type"]) {
      case "response.reasoning_summary_text.delta":
        this.write("summary_text", summary_index, event["delta"], "add", draft);
        break;
      case "response.reasoning_summary_text.done":
        this.write("summary_text", summary_index, event["text"], "rest", draft);
        break;
      case "response.reasoning_text.delta":
        this.write("reasoning_text", content_index, event["delta"], "add", draft);
        break;
      case "response.reasoning_text.done":
        this.write("reasoning_text", content_index, event["text"], "rest", draft);
        break;
    }
  }

  end(item: Loose, draft: ChunkDraft): void {
    this.endParts("summary_text", item["summary"], draft);
    this.endParts("reasoning_text", item["content"], draft);
    const encrypted = nonEmptyText(item["encrypted_content"]);
    const own = this.firstBlock === undefined ? { id: this.id } : undefined;
    const metadata = withoutUndefined({ ...own, encrypted_content: encrypted });
    if (Object.keys(metadata).length === 0) return;
    this.firstBlock ??= draft.nextBlock();
    draft.add({ type: "reasoning", index: this.firstBlock, reasoning: "", metadata });
  }

  private endParts(kind: PartKind, parts: unknown, draft: ChunkDraft): void {
    if (!Array.isArray(parts)) return;
    parts.forEach((part: unknown, index) => {
      if (isRecord(part)) this.write(kind, index, part["text"], "rest", draft);
    });
  }

  private write(kind: PartKind, index: unknown, text: unknown, how: "add" | "rest", draft: ChunkDraft): void {
    const key = `${kind}:${scalarText(index)}`;
    let part = this.parts.get(key);
    if (part === undefined) this.parts.set(key, (part = { text: new DeltaText(), block: undefined }));
    const reasoning = part.text[how](text);
    if (reasoning === undefined) return;
    const first = part.block === undefined;
    part.block ??= draft.nextBlock();
    this.firstBlock ??= part.block;
    const metadata = first ? { metadata: withoutUndefined({ id: this.id, type: kind }) } : undefined;
    draft.add({ type: "reasoning", index: part.block, reasoning, ...metadata });
  }
}

/** The part types of OpenAI. */
type PartKind = "summary_text" | "reasoning_text";

interface ReasoningPart {
  readonly text: DeltaText;
  block: number | undefined;
}
