import type { Annotation } from "../../../messages/blocks/annotations.js";
import type { Metadata } from "../../../messages/blocks/metadata.js";
import { isRecord, type Loose, fieldsOrUndefined, nonEmptyText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { mapOpenAIAnnotation } from "../annotations.js";
import { DeltaText } from "./delta-text.js";
import type { OutputItem } from "./output-item.js";

/**
 * Decodes a message item: a text block for each part, with the item's id, so that it can be sent back, and its `phase`.
 * A refusal is not a block.
 */
export class MessageItem implements OutputItem {
  private readonly metadata: Metadata | undefined;
  /** Parts by content_index. */
  private readonly parts = new Map<unknown, MessagePart>();

  constructor(item: Loose) {
    this.metadata = fieldsOrUndefined({ id: nonEmptyText(item["id"]), phase: nonEmptyText(item["phase"]) });
  }

  read(event: Loose, draft: ChunkDraft): void {
    const { type } = event;
    const part = this.part(event["content_index"]);
    switch (type) {
      case "response.output_text.delta":
        this.write(part, part.text.add(event["delta"]), [], draft);
        part.logprobCount += this.addLogprobs(event["logprobs"], 0, draft);
        break;
      case "response.output_text.done":
        this.write(part, part.text.rest(event["text"]), [], draft);
        part.logprobCount += this.addLogprobs(event["logprobs"], part.logprobCount, draft);
        break;
      case "response.output_text.annotation.added":
        part.annotations++;
        this.write(part, undefined, [mapOpenAIAnnotation(event["annotation"])], draft);
        break;
      case "response.refusal.delta":
        draft.refuse(part.text.add(event["delta"]));
        break;
      case "response.refusal.done":
        draft.refuse(part.text.rest(event["refusal"]));
        break;
      case "response.content_part.done":
        this.endPart(part, event["part"], draft);
        break;
    }
  }

  end(item: Loose, draft: ChunkDraft): void {
    const { content } = item;
    if (Array.isArray(content)) content.forEach((part, index) => this.endPart(this.part(index), part, draft));
  }

  /** @param index absent from the events of llama-server, which have one part */
  private part(index: unknown = 0): MessagePart {
    let part = this.parts.get(index);
    if (part === undefined)
      this.parts.set(index, (part = { text: new DeltaText(), annotations: 0, logprobCount: 0 }));
    return part;
  }

  private endPart(part: MessagePart, whole: unknown, draft: ChunkDraft): void {
    if (!isRecord(whole)) return;
    if (whole["type"] === "refusal") draft.refuse(part.text.rest(whole["refusal"]));
    if (whole["type"] !== "output_text") return;
    const all = Array.isArray(whole["annotations"]) ? whole["annotations"] : [];
    const annotations = all.slice(part.annotations).map(mapOpenAIAnnotation);
    part.annotations = Math.max(part.annotations, all.length);
    this.write(part, part.text.rest(whole["text"]), annotations, draft);
  }

  private write(
    part: MessagePart,
    text: string | undefined,
    annotations: readonly Annotation[],
    draft: ChunkDraft,
  ): void {
    if (text === undefined && annotations.length === 0) return;
    const first = part.block === undefined;
    draft.add({
      type: "text",
      index: (part.block ??= draft.nextBlock()),
      text: text ?? "",
      ...(annotations.length === 0 ? undefined : { annotations }),
      ...(first && this.metadata !== undefined ? { metadata: this.metadata } : undefined),
    });
  }

  /** A delta has the log probabilities of its own tokens; the end of the text repeats all of them. */
  private addLogprobs(logprobs: unknown, alreadySent: number, draft: ChunkDraft): number {
    const added = Array.isArray(logprobs) ? logprobs.slice(alreadySent) : [];
    draft.addLists({ logprobs: added });
    return added.length;
  }
}

interface MessagePart {
  readonly text: DeltaText;
  /** Number of annotations already sent. */
  annotations: number;
  logprobCount: number;
  block?: number;
}
