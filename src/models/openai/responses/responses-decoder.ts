import type { JsonObject, JsonValue } from "../../../json/value.js";
import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import type { MessageChunk } from "../../../messages/chunk.js";
import type { MessageFields } from "../../../messages/merge/merge-fields.js";
import type { Mutable } from "../../../messages/merge/mutable.js";
import { added } from "../../../stream/added.js";
import { truncatedMessageError, noAnswerError } from "../../wire/truncation.js";
import type { ModelError } from "../../contract/errors.js";
import { readProviderError, streamError } from "../../http/provider-error.js";
import { unexpectedError } from "../../wire/unexpected-error.js";
import type { MessageDecoder } from "../../wire/decoder-stage.js";
import { mapFinishReason } from "../../wire/finish-reason.js";
import { addMetadata, addMetadataLists } from "../../wire/metadata.js";
import { isRecord, type Loose, asRecord, nonEmptyText, scalarText } from "../../loose.js";
import { CallItem } from "./call-item.js";
import { callKinds } from "./call-kinds.js";
import { MessageItem } from "./message-item.js";
import type { OutputItem, Sink } from "./output-item.js";
import { ReasoningItem } from "./reasoning-item.js";
import { mapOpenAIUsage } from "../usage.js";
import { WholeItem } from "./whole-item.js";

/** Decodes the events of one response. */
export class ResponsesDecoder implements MessageDecoder, Sink {
  /** Whether the last event has arrived. */
  ended = false;
  /** Whether any content of the answer has arrived. */
  private answered = false;

  /** Fields to send with the next chunk that has content. */
  private pending: Mutable<MessageFields> = {};
  private readonly lastFields: Record<string, unknown> = {};
  private content: ContentBlock[] = [];

  private blocks = 0;
  private audio: number | undefined;
  /** Open items by output_index and by id: llama-server sends only ids. */
  private readonly items = new Map<unknown, OutputItem>();
  /** Complete items, by names and by output_index, because some servers change the id of an item in each event. */
  private readonly done = new Set<unknown>();
  /** Types of complete items that have neither an id nor an output_index. */
  private readonly unplaced: unknown[] = [];
  private lastCall: string | undefined;
  private calls = false;

  read(event: Loose): MessageChunk | undefined {
    this.readEvent(event);
    if (this.content.length === 0 && this.pending.refusal === undefined && !this.ended) return undefined;
    this.answered = true;
    const { content, pending } = this;
    this.content = [];
    this.pending = {};
    return { content, ...pending };
  }

  end(marked: boolean): undefined {
    if (marked && this.answered) return;
    throw marked
      ? noAnswerError("no event had any content")
      : truncatedMessageError(this.answered, "without its last event");
  }

  nextBlock(): number {
    return this.blocks++;
  }

  push(block: ContentBlock): void {
    this.content = added(this.content, block);
  }

  refuse(text: string): void {
    this.pending.refusal = (this.pending.refusal ?? "") + text;
  }

  addLists(lists: Loose): void {
    addMetadataLists(this.pending, lists);
  }

  private readEvent(event: Loose): void {
    const type = nonEmptyText(event["type"]);
    switch (type) {
      case "response.output_item.added":
      case "response.output_item.done":
        this.readItem(placeOf(event), asRecord(event["item"]), type === "response.output_item.done");
        break;
      case "response.created":
      case "response.queued":
      case "response.in_progress":
        this.readResponseFields(asRecord(event["response"]));
        break;
      case "response.completed":
      case "response.incomplete":
      case "response.cancelled":
        this.readEnd(asRecord(event["response"]));
        break;
      case "response.audio.delta":
        this.push({
          type: "audio",
          index: (this.audio ??= this.blocks++),
          data: nonEmptyText(event["delta"]) ?? "",
        });
        break;
      case "response.audio.transcript.delta":
        this.push({
          type: "audio",
          index: (this.audio ??= this.blocks++),
          transcript: nonEmptyText(event["delta"]) ?? "",
        });
        break;
      case "response.audio.done":
      case "response.audio.transcript.done":
      case "keepalive":
        break;
      case undefined:
      case "error":
      case "response.failed":
        throw toResponseError(event);
      default:
        this.readItemEvent(type, event);
    }
  }

  private readItem(place: unknown, item: Loose, isComplete: boolean): void {
    if (this.isRepeated(place, item)) return;
    if (isComplete) this.endItem(place, item);
    else this.begin(place, item);
  }

  private readItemEvent(type: string, event: Loose): void {
    const place = placeOf(event);
    if (typeof place === "string" && this.done.has(place)) return;
    const item = this.items.get(place) ?? this.beginUnannounced(type, event);
    if (item !== undefined) item.read(event, this);
    // An event of an unknown item is ignored, because the complete item repeats its data.
    else if (place === undefined) this.push({ type: "non_standard", value: event as JsonValue });
  }

  private begin(place: unknown, item: Loose): OutputItem {
    const reader = this.readerOf(item);
    this.items.set(place, reader);
    const id = nonEmptyText(item["id"]);
    if (id !== undefined) this.items.set(id, reader);
    if (reader instanceof CallItem) reader.begin(item, this);
    return reader;
  }

  /** Begins an item for servers that do not announce items. */
  private beginUnannounced(type: string, event: Loose): OutputItem | undefined {
    const [, about = ""] = /^response\.(output_text|content_part|refusal|reasoning)[._]/.exec(type) ?? [];
    if (about === "") return undefined;
    const kind = about === "reasoning" ? "reasoning" : "message";
    return this.begin(placeOf(event), { type: kind, id: event["item_id"] });
  }

  private endItem(place: unknown, item: Loose): void {
    const names = namesOf(item);
    const reader = this.items.get(place) ?? this.items.get(names[0]) ?? this.begin(place, item);
    for (const key of [place, ...names]) this.items.delete(key);
    for (const name of names) this.done.add(name);
    if (typeof place === "number") this.done.add(place);
    else if (names.length === 0) this.unplaced.push(item["type"]);
    reader.end(item, this);
  }

  /** Whether a complete item has a name of this one. */
  private isNamed(item: Loose): boolean {
    return namesOf(item).some((name) => this.done.has(name));
  }

  /** Whether an event repeats a complete item. Two calls in different places are not the same, even with one id. */
  private isRepeated(place: unknown, item: Loose): boolean {
    return this.isNamed(item) && (typeof place !== "number" || this.done.has(place));
  }

  /** Whether events contained an item of the complete response. */
  private isDone(place: number, item: Loose): boolean {
    if (this.done.has(place) || this.isNamed(item)) return true;
    const index = this.unplaced.indexOf(item["type"]);
    if (index >= 0) this.unplaced.splice(index, 1);
    return index >= 0;
  }

  private readerOf(item: Loose): OutputItem {
    const { type } = item;
    if (type === "message") return new MessageItem(item);
    if (type === "reasoning") return new ReasoningItem(item);
    const kind = callKinds.get(type);
    if (kind === undefined) return new WholeItem(this.lastCall);
    this.lastCall = kind.idOf(item);
    if (kind.block === "tool_call_chunk") this.calls = true;
    return new CallItem(kind);
  }

  private readResponseFields(response: Loose): void {
    const { id, model } = response;
    if (nonEmptyText(id) !== undefined && this.isNew("id", id)) this.pending.id = id as string;
    if (nonEmptyText(model) !== undefined && this.isNew("model", model)) this.pending.model = model as string;
    for (const key of metadataKeys) {
      const value = response[key];
      if (value === null || value === undefined || !this.isNew(key, value)) continue;
      addMetadata(this.pending, key, value);
    }
  }

  private isNew(key: string, value: unknown): boolean {
    const known = this.lastFields[key] === value;
    this.lastFields[key] = value;
    return !known;
  }

  /** Reads the fields of the complete response, and output that no event contained. */
  private readEnd(response: Loose): void {
    this.readResponseFields(response);
    const { output, usage } = response;
    if (Array.isArray(output)) {
      const missing = [...output.entries()].filter(
        (entry): entry is [number, Loose] => isRecord(entry[1]) && !this.isDone(entry[0], entry[1]),
      );
      for (const [place, item] of missing) this.endItem(place, item);
    }
    const counts = isRecord(usage) ? mapOpenAIUsage(usage) : undefined;
    if (counts !== undefined) this.pending.usage = counts;
    Object.assign(this.pending, mapEnding(response, this.calls));
    this.ended = true;
  }
}

/** The item that an event is about: its output_index, or else its id. */
function placeOf(event: Loose): unknown {
  const { output_index, item_id, item } = event;
  return output_index ?? nonEmptyText(item_id) ?? nonEmptyText(asRecord(item)["id"]);
}

/** The names that an item shares with its repetitions: its id; for a call also the id that its result refers to. */
function namesOf({ id, type, call_id }: Loose): string[] {
  const call = nonEmptyText(call_id);
  const names = [nonEmptyText(id), call === undefined ? undefined : `${scalarText(type)} ${call}`];
  return names.filter((name) => name !== undefined);
}

/** Fields that become metadata of the message. */
const metadataKeys = [
  "created_at",
  "service_tier",
  "previous_response_id",
  "conversation",
  "moderation",
  "content_filters", // Azure
] as const satisfies (keyof JsonObject)[];

/**
 * Maps the end of a response. The finish reason of OpenAI is the reason of an incomplete response, or else its status.
 *
 * @param calls whether the response calls a client tool
 */
function mapEnding(response: Loose, calls: boolean): MessageFields {
  const reason = nonEmptyText(asRecord(response["incomplete_details"])["reason"]);
  const word = reason ?? nonEmptyText(response["status"]) ?? "completed";
  return { finishReason: mapFinishReason(word, calls), providerFinishReason: word };
}

/**
 * The error for an error event: `error`, with its fields beside the type or inside `error`, `response.failed`, or an
 * error object that some servers send instead of an event. Otherwise the error has the code `protocol`.
 */
function toResponseError(event: Loose): ModelError {
  const { type, response } = event;
  const failure =
    type === "response.failed" ? (asRecord(response)["error"] ?? "the response has failed") : undefined;
  const flat = type === "error" && !isRecord(event["error"]) ? event : undefined;
  const inside = failure ?? flat;
  const error = readProviderError(inside === undefined ? event : { error: inside });
  return error === undefined ? unexpectedError("an event of a response", event) : streamError(error);
}
