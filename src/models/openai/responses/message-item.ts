import type { Annotation } from "../../../messages/blocks/annotations.js";
import type { Metadata } from "../../../messages/blocks/metadata.js";
import { isRecord, type Loose, fieldsOrUndefined, nonEmptyText } from "../../loose.js";
import { mapOpenAIAnnotation } from "../annotations.js";
import { DeltaText } from "./delta-text.js";
import type { OutputItem, Sink } from "./output-item.js";

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

  read(event: Loose, sink: Sink): void {
    const { type } = event;
    const part = this.part(event["content_index"]);
    switch (type) {
      case "response.output_text.delta":
        this.write(part, part.text.add(event["delta"]), [], sink);
        part.logprobCount += this.addLogprobs(event["logprobs"], 0, sink);
        break;
      case "response.output_text.done":
        this.write(part, part.text.rest(event["text"]), [], sink);
        part.logprobCount += this.addLogprobs(event["logprobs"], part.logprobCount, sink);
        break;
      case "response.output_text.annotation.added":
        part.annotations++;
        this.write(part, undefined, [mapOpenAIAnnotation(event["annotation"])], sink);
        break;
      case "response.refusal.delta":
        refuse(part.text.add(event["delta"]), sink);
        break;
      case "response.refusal.done":
        refuse(part.text.rest(event["refusal"]), sink);
        break;
      case "response.content_part.done":
        this.endPart(part, event["part"], sink);
        break;
    }
  }

  end(item: Loose, sink: Sink): void {
    const { content } = item;
    if (Array.isArray(content)) content.forEach((part, index) => this.endPart(this.part(index), part, sink));
  }

  /** @param index absent from the events of llama-server, which have one part */
  private part(index: unknown = 0): MessagePart {
    let part = this.parts.get(index);
    if (part === undefined)
      this.parts.set(index, (part = { text: new DeltaText(), annotations: 0, logprobCount: 0 }));
    return part;
  }

  private endPart(part: MessagePart, whole: unknown, sink: Sink): void {
    if (!isRecord(whole)) return;
    if (whole["type"] === "refusal") refuse(part.text.rest(whole["refusal"]), sink);
    if (whole["type"] !== "output_text") return;
    const all = Array.isArray(whole["annotations"]) ? whole["annotations"] : [];
    const annotations = all.slice(part.annotations).map(mapOpenAIAnnotation);
    part.annotations = Math.max(part.annotations, all.length);
    this.write(part, part.text.rest(whole["text"]), annotations, sink);
  }

  private write(
    part: MessagePart,
    text: string | undefined,
    annotations: readonly Annotation[],
    sink: Sink,
  ): void {
    if (text === undefined && annotations.length === 0) return;
    const first = part.block === undefined;
    sink.push({
      type: "text",
      index: (part.block ??= sink.nextBlock()),
      text: text ?? "",
      ...(annotations.length === 0 ? undefined : { annotations }),
      ...(first && this.metadata !== undefined ? { metadata: this.metadata } : undefined),
    });
  }

  /** A delta has the log probabilities of its own tokens; the end of the text repeats all of them. */
  private addLogprobs(logprobs: unknown, alreadySent: number, sink: Sink): number {
    const added = Array.isArray(logprobs) ? logprobs.slice(alreadySent) : [];
    sink.addLists({ logprobs: added });
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

function refuse(text: string | undefined, sink: Sink): void {
  if (text !== undefined) sink.refuse(text);
}
