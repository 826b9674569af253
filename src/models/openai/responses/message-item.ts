import type { Annotation } from "../../../messages/blocks/annotations.js";
import { asList, isRecord, type Loose, fieldsOrUndefined, nonEmptyText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { mapOpenAIAnnotation } from "../annotations.js";
import { DeltaText, type OutputItem } from "./output-item.js";

/**
 * Decodes a message item: a text block for each part, with the item's id, so that it can be sent back, and its `phase`.
 * A refusal is not a block.
 */
export function messageItem(item: Loose, draft: ChunkDraft): OutputItem {
  const metadata = fieldsOrUndefined({
    id: nonEmptyText(item["id"]),
    phase: nonEmptyText(item["phase"]),
  });
  /** Parts by content_index. */
  const parts = new Map<unknown, MessagePart>();

  /** @param index absent from the events of llama-server, which have one part */
  const partAt = (index: unknown = 0): MessagePart => {
    const part = parts.get(index) ?? { text: new DeltaText(), annotations: 0, logprobCount: 0 };
    parts.set(index, part);
    return part;
  };
  const write = (part: MessagePart, text: string | undefined, added: readonly Annotation[] = []): void => {
    const annotations = added.length === 0 ? undefined : added;
    draft.write("text", part, text, { annotations }, metadata);
  };
  const endPart = (part: MessagePart, whole: unknown): void => {
    if (!isRecord(whole)) return;
    if (whole["type"] === "refusal") draft.refuse(part.text.rest(whole["refusal"]));
    if (whole["type"] !== "output_text") return;
    const all = asList(whole["annotations"]);
    const annotations = all.slice(part.annotations).map(mapOpenAIAnnotation);
    part.annotations = Math.max(part.annotations, all.length);
    write(part, part.text.rest(whole["text"]), annotations);
  };
  /** A delta has the log probabilities of its own tokens; the end of the text repeats all of them. */
  const addLogprobs = (logprobs: unknown, alreadySent: number): number => {
    const added = asList(logprobs).slice(alreadySent);
    draft.addLists({ logprobs: added });
    return added.length;
  };
  return {
    read(event) {
      const part = partAt(event["content_index"]);
      switch (event["type"]) {
        case "response.output_text.delta":
          write(part, part.text.add(event["delta"]));
          part.logprobCount += addLogprobs(event["logprobs"], 0);
          break;
        case "response.output_text.done":
          write(part, part.text.rest(event["text"]));
          part.logprobCount += addLogprobs(event["logprobs"], part.logprobCount);
          break;
        case "response.output_text.annotation.added":
          part.annotations++;
          write(part, undefined, [mapOpenAIAnnotation(event["annotation"])]);
          break;
        case "response.refusal.delta":
          draft.refuse(part.text.add(event["delta"]));
          break;
        case "response.refusal.done":
          draft.refuse(part.text.rest(event["refusal"]));
          break;
        case "response.content_part.done":
          endPart(part, event["part"]);
          break;
      }
    },
    end({ content }) {
      asList(content).forEach((part, index) => endPart(partAt(index), part));
    },
  };
}

interface MessagePart {
  readonly text: DeltaText;
  /** Number of annotations already sent. */
  annotations: number;
  logprobCount: number;
}
