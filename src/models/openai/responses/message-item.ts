import type { Annotation } from "../../../messages/blocks/annotations.js";
import type { Metadata } from "../../../messages/blocks/metadata.js";
import { asList, isRecord, type Loose, fieldsOrUndefined, nonEmptyText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { mapOpenAIAnnotation } from "../annotations.js";
import { DeltaText, type OutputItem } from "./output-item.js";

/**
 * Decodes a message item: a text block for each part, with the item's id, so that it can be sent back, and its `phase`.
 * A refusal is not a block.
 */
export class MessageItem implements OutputItem {
  private readonly draft: ChunkDraft;
  private readonly metadata: Metadata | undefined;
  /** Parts by content_index. */
  private readonly parts = new Map<unknown, MessagePart>();

  constructor(item: Loose, draft: ChunkDraft) {
    this.draft = draft;
    this.metadata = fieldsOrUndefined({ id: nonEmptyText(item["id"]), phase: nonEmptyText(item["phase"]) });
  }

  read(event: Loose): void {
    const { draft } = this;
    const part = this.part(event["content_index"]);
    switch (event["type"]) {
      case "response.output_text.delta":
        this.write(part, part.text.add(event["delta"]));
        part.logprobCount += this.addLogprobs(event["logprobs"], 0);
        break;
      case "response.output_text.done":
        this.write(part, part.text.rest(event["text"]));
        part.logprobCount += this.addLogprobs(event["logprobs"], part.logprobCount);
        break;
      case "response.output_text.annotation.added":
        part.annotations++;
        this.write(part, undefined, [mapOpenAIAnnotation(event["annotation"])]);
        break;
      case "response.refusal.delta":
        draft.refuse(part.text.add(event["delta"]));
        break;
      case "response.refusal.done":
        draft.refuse(part.text.rest(event["refusal"]));
        break;
      case "response.content_part.done":
        this.endPart(part, event["part"]);
        break;
    }
  }

  end({ content }: Loose): void {
    asList(content).forEach((part, index) => this.endPart(this.part(index), part));
  }

  /** @param index absent from the events of llama-server, which have one part */
  private part(index: unknown = 0): MessagePart {
    const part = this.parts.get(index) ?? { text: new DeltaText(), annotations: 0, logprobCount: 0 };
    this.parts.set(index, part);
    return part;
  }

  private endPart(part: MessagePart, whole: unknown): void {
    if (!isRecord(whole)) return;
    if (whole["type"] === "refusal") this.draft.refuse(part.text.rest(whole["refusal"]));
    if (whole["type"] !== "output_text") return;
    const all = asList(whole["annotations"]);
    const annotations = all.slice(part.annotations).map(mapOpenAIAnnotation);
    part.annotations = Math.max(part.annotations, all.length);
    this.write(part, part.text.rest(whole["text"]), annotations);
  }

  private write(part: MessagePart, text: string | undefined, added: readonly Annotation[] = []): void {
    const annotations = added.length === 0 ? undefined : added;
    this.draft.write("text", part, text, { annotations }, this.metadata);
  }

  /** A delta has the log probabilities of its own tokens; the end of the text repeats all of them. */
  private addLogprobs(logprobs: unknown, alreadySent: number): number {
    const added = asList(logprobs).slice(alreadySent);
    this.draft.addLists({ logprobs: added });
    return added.length;
  }
}

interface MessagePart {
  readonly text: DeltaText;
  /** Number of annotations already sent. */
  annotations: number;
  logprobCount: number;
}
