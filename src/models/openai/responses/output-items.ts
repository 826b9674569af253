import { type JsonObject, withoutUndefined } from "../../../json/value.js";
import { asList, fieldsOrUndefined, isRecord, type Loose, nonEmptyText, scalarText } from "../../loose.js";
import { sameData } from "../../../json/patch/same-data.js";
import { parsedJson } from "../../../text/json-text.js";
import { tableOf } from "../../../text/words-in.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { mapOpenAIAnnotations } from "../annotations.js";
import { type CallKind, hasFailed } from "./call-kinds.js";

export interface OutputItem {
  /** Reads the first event of an item that is shown at once. */
  begin?(item: Loose): void;
  read(event: Loose): void;
  /** Reads the complete item and adds everything that no event contained. */
  end(item: Loose): void;
}

/** Decodes a message item: a text block for each part, with the id and the phase of the item. */
export function messageItem(item: Loose, draft: ChunkDraft): OutputItem {
  const { id, phase } = item;
  const metadata = fieldsOrUndefined({ id: nonEmptyText(id), phase: nonEmptyText(phase) });
  const parts = new Map<unknown, MessagePart>();

  /** @param index absent from the events of llama-server, which have one part */
  const partAt = (index: unknown = 0): MessagePart => {
    const part = parts.get(index) ?? { text: new DeltaText(), annotations: 0, logprobCount: 0 };
    parts.set(index, part);
    return part;
  };
  const write = (part: MessagePart, text: string | undefined, annotations?: readonly unknown[]): unknown =>
    draft.write("text", part, text, { annotations: mapOpenAIAnnotations(annotations), first: metadata });
  const endPart = (part: MessagePart, whole: unknown): void => {
    if (!isRecord(whole)) return;
    if (whole["type"] === "refusal") draft.refuse(part.text.rest(whole["refusal"]));
    if (whole["type"] !== "output_text") return;
    const all = asList(whole["annotations"]);
    write(part, part.text.rest(whole["text"]), all.slice(part.annotations));
    part.annotations = Math.max(part.annotations, all.length);
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
          write(part, undefined, [event["annotation"]]);
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
  annotations: number;
  logprobCount: number;
}

/**
 * Decodes a reasoning item: a block for each part of the summary, and of the reasoning itself if the server sends it.
 * The first block also has the encrypted reasoning. An item without visible reasoning becomes one empty block.
 */
export function reasoningItem(item: Loose, draft: ChunkDraft): OutputItem {
  const id = nonEmptyText(item["id"]);
  const parts = new Map<string, DeltaText>();
  let firstBlock: number | undefined;

  const write = ({ kind, how }: ReasoningPartEvent, index: unknown, text: unknown): void => {
    const key = `${kind}:${scalarText(index)}`;
    const part = parts.get(key) ?? new DeltaText();
    parts.set(key, part);
    const block = draft.write("reasoning", part, part[how](text), {
      first: withoutUndefined({ id, type: kind }),
    });
    firstBlock ??= block;
  };
  const endParts = (kind: ReasoningPartEvent["kind"], list: unknown): void => {
    asList(list).forEach((part, index) => {
      if (isRecord(part)) write({ kind, how: "rest" }, index, part["text"]);
    });
  };
  return {
    read({ type, delta, text, summary_index, content_index }) {
      const event = reasoningEvents.get(type);
      if (event === undefined) return;
      const index = event.kind === "summary_text" ? summary_index : content_index;
      write(event, index ?? 0, event.how === "add" ? delta : text); // llama-server sends no index
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

interface ReasoningPartEvent {
  /** The part type of OpenAI. */
  readonly kind: "summary_text" | "reasoning_text";
  readonly how: "add" | "rest";
}

const reasoningEvents = tableOf<ReasoningPartEvent>({
  "response.reasoning_summary_text.delta": { kind: "summary_text", how: "add" },
  "response.reasoning_summary_text.done": { kind: "summary_text", how: "rest" },
  "response.reasoning_text.delta": { kind: "reasoning_text", how: "add" },
  "response.reasoning_text.done": { kind: "reasoning_text", how: "rest" },
});

/** Decodes a call of a client tool or a tool of OpenAI, with its arguments as they grow. */
export function callItem(kind: CallKind, draft: ChunkDraft): OutputItem {
  const sent = new DeltaText();
  let index: number | undefined;
  let id: string | undefined;
  let named = false;

  const begin = (item: Loose): number => {
    id = kind.idOf(item);
    const name = kind.nameOf(item);
    named = name !== undefined;
    index = draft.nextBlock();
    draft.addCall(index, { id, name, metadata: kind.metadataOf(item) }, kind.block);
    return index;
  };
  return {
    begin,
    read(event) {
      const args = sent.add(kind.deltaOf?.(event, sent.empty));
      if (args !== undefined && index !== undefined) draft.addCall(index, { args }, kind.block);
    },
    end(item) {
      const block = index ?? begin(item);
      const whole = kind.argumentsOf(item);
      const args = sent.rest(whole);
      const name = named ? undefined : kind.nameOf(item);
      if (args !== undefined || name !== undefined) draft.addCall(block, { name, args }, kind.block);
      if (kind.block === "tool_call_chunk") {
        if (whole !== undefined && !sent.says(whole)) draft.addCall(block, { error: otherArguments });
        return;
      }
      draft.addCall(block, { metadata: item as JsonObject }, kind.block);
      const output = kind.outputOf?.(item);
      const callId = id ?? nonEmptyText(item["id"]) ?? "";
      if (kind.outputOf !== undefined) draft.addResult(callId, hasFailed(item), output ?? undefined);
    },
  };
}

/**
 * An item that is sent when it is complete: an image, the result of a tool, or an unknown item, which becomes
 * `non_standard`.
 *
 * @param lastCall the id of the previous call, because the result of a tool search has no id of its call
 */
export function wholeItem(lastCall = "", draft: ChunkDraft): OutputItem {
  const addResult = (item: Loose, output: unknown = null): void => {
    draft.addResult(nonEmptyText(item["call_id"]) ?? lastCall, hasFailed(item), output, item as JsonObject);
  };
  return {
    read(event) {
      // A preview of the image, which the complete item does not repeat.
      if (event["type"] === "response.image_generation_call.partial_image") draft.addOther(event);
    },
    end(item) {
      const { type, result, output_format } = item;
      if (type === "shell_call_output") addResult(item, item["output"]);
      else if (type === "tool_search_output") addResult(item, item["tools"]);
      else if (type === "image_generation_call" && typeof result === "string") {
        const { result: _, ...metadata } = item as JsonObject;
        const mimeType = `image/${nonEmptyText(output_format) ?? "png"}`;
        draft.add({ type: "image", data: result, mimeType, metadata });
      } else draft.addOther(item);
    },
  };
}

const otherArguments = "The server sent the arguments of the call twice, with different values.";

/** A text that arrives in deltas and is then repeated as a whole. */
class DeltaText {
  private text = "";

  /** Adds a delta and returns it, or `undefined` if it is empty. */
  add(delta: unknown): string | undefined {
    const text = nonEmptyText(delta);
    if (text !== undefined) this.text += text;
    return text;
  }

  /** Returns the part of the whole that the deltas did not contain. Some servers send no deltas. */
  rest(whole: unknown): string | undefined {
    const text = nonEmptyText(whole);
    return text?.startsWith(this.text) === true ? this.add(text.slice(this.text.length)) : undefined;
  }

  get empty(): boolean {
    return this.text === "";
  }

  /** Whether it is this JSON text, or another text of its value. */
  says(json: string): boolean {
    const { text } = this;
    return text === json || sameData(parsedJson(text) ?? text, parsedJson(json));
  }
}
