import type { MessageChunk } from "../../../messages/chunk.js";
import type { Operator } from "../../../stream/operator.js";
import { decoderStage, type MessageDecoder, type ProviderWire } from "../../wire/decoder-stage.js";
import { type EventPayload, eventPayloads } from "../../wire/payload.js";
import { isObject, type JsonValue } from "../../../json/value.js";
import { noop } from "../../../stream/core/result.js";
import { tableOf, wordsIn } from "../../../text/words-in.js";
import { throwErrorIn } from "../../http/provider-error.js";
import { asList, isRecord, type Loose, asRecord, nonEmptyText, scalarText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { mapFinishReason } from "../../wire/finish-reason.js";
import { unexpectedError } from "../../wire/errors.js";
import { mapOpenAIUsage } from "../usage.js";
import { callKinds } from "./call-kinds.js";
import { callItem, messageItem, type OutputItem, reasoningItem, wholeItem } from "./output-items.js";

/**
 * Decodes the stream of OpenAI's Responses API to message chunks. Ends with the last event of the response.
 *
 * An event yields at most one chunk. Each part of a text or reasoning summary is a block, and so is every call. Calls of
 * tools that OpenAI runs become `server_tool_call` and `server_tool_result`, unknown items `non_standard`. The
 * `metadata` of a block has what is needed to send it back.
 *
 * @throws {ModelError} `provider` for a failed response, `protocol` for anything else than a response, `cut` without its
 *   last event
 *
 * @example
 * ```ts
 * import { from, mergeChunks, last, pipe, textOf } from "millrace";
 * import { decodeSse } from "millrace/models";
 * import { decodeOpenAIResponses } from "millrace/openai";
 *
 * const wire = [
 *   'data: {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "Hello"}\n\n',
 *   'data: {"type": "response.completed", "response": {"id": "resp_1", "status": "completed"}}\n\n',
 * ];
 * const message = await last(pipe(from(wire), decodeSse(), decodeOpenAIResponses(), mergeChunks()));
 * console.log(message && textOf(message)); // "Hello"
 * ```
 */
export function decodeOpenAIResponses(): Operator<OpenAIResponsesPayload, MessageChunk> {
  return decoderStage(responsesWire);
}

/** A whole response is what the last event of a stream has. */
function wholeResponse(response: JsonValue): readonly JsonValue[] | undefined {
  if (!isObject(response) || !Array.isArray(response["output"])) return undefined;
  return [{ type: `response.${nonEmptyText(response["status"]) ?? "completed"}`, response }];
}

export const responsesWire: ProviderWire = {
  payloads: eventPayloads("an event of a response", wholeResponse),
  toEvents: wholeResponse,
  create: responsesDecoder,
  noAnswer: "no event had any content",
  noEnd: "without its last event",
  doneEnds: true,
};

/** The input of `decodeOpenAIResponses`. The official SDK yields parsed events. */
export type OpenAIResponsesPayload = EventPayload<OpenAIResponsesEvent>;

/** A parsed event. The other fields depend on its type. */
export interface OpenAIResponsesEvent {
  readonly type: string;
}

function responsesDecoder(draft: ChunkDraft): MessageDecoder {
  /** Open items by output_index and by id: llama-server sends only ids. */
  const items = new Map<unknown, OutputItem>();
  /** The last open message and reasoning. Some servers name them in one event, and not in another. */
  const last = new Map<unknown, { readonly place: unknown; readonly reader: OutputItem }>();
  /** Complete items, by names and by output_index, because some servers change the id of an item in each event. */
  const done = new Set<unknown>();
  /** Types of complete items that have neither an id nor an output_index. */
  const unplaced: unknown[] = [];
  let lastCall: string | undefined;

  const addAudio = (field: "data" | "transcript", delta: unknown): void =>
    draft.add({ type: "audio", index: draft.placeOf("audio"), [field]: nonEmptyText(delta) ?? "" });
  const readerOf = (item: Loose): OutputItem => {
    const { type } = item;
    if (type === "message") return messageItem(item, draft);
    if (type === "reasoning") return reasoningItem(item, draft);
    const kind = callKinds.get(type);
    if (kind === undefined) return wholeItem(lastCall, draft);
    lastCall = kind.idOf(item);
    return callItem(kind, draft);
  };
  const openOf = (type: unknown, place: unknown): OutputItem | undefined => {
    const open = last.get(type);
    return typeof place === "number" && typeof open?.place === "number" ? undefined : open?.reader;
  };
  const begin = (place: unknown, item: Loose): OutputItem => {
    const reader = readerOf(item);
    for (const key of [place, ...namesOf(item)]) items.set(key, reader);
    if (item["type"] === "message" || item["type"] === "reasoning") last.set(item["type"], { place, reader });
    reader.begin?.(item);
    return reader;
  };
  const endItem = (place: unknown, item: Loose): void => {
    const names = namesOf(item);
    // A place decides before the id of a call: see itemReader().
    const keys = [nonEmptyText(item["id"]), place, typeof place === "number" ? place : names.at(-1)];
    const known = keys.map((key) => items.get(key ?? place)).find((it) => it !== undefined);
    const reader = known ?? openOf(item["type"], place) ?? begin(place, item);
    const open = last.get(item["type"]);
    if (open?.reader === reader) last.delete(item["type"]);
    for (const key of [place, open?.place, ...names]) if (items.get(key) === reader) items.delete(key);
    for (const name of names) done.add(name);
    if (typeof place === "number") done.add(place);
    else if (names.length === 0) unplaced.push(item["type"]);
    reader.end(item);
  };
  const isNamed = (item: Loose): boolean => namesOf(item).some((name) => done.has(name));
  const itemReader = (read: (place: unknown, item: Loose) => unknown) => (event: Loose) => {
    const place = placeOf(event);
    const item = asRecord(event["item"]);
    // Two calls in different places are not the same, even with one id.
    if (!isNamed(item) || (typeof place === "number" && !done.has(place))) read(place, item);
  };
  /** Begins an item for servers that do not announce items. An event that names none is about the last one. */
  const beginUnannounced = (type: string, event: Loose): OutputItem | undefined => {
    const [, about] = /^response\.(output_text|content_part|refusal|reasoning)[._]/.exec(type) ?? [];
    const kind = about === "reasoning" ? about : "message";
    if (about === undefined) return about;
    const place = placeOf(event);
    const open = place === undefined ? openOf(kind, place) : undefined;
    return open ?? begin(place, { type: kind, id: event["item_id"] });
  };
  const readItemEvent = (event: Loose): void => {
    const type = nonEmptyText(event["type"]) ?? fail(event);
    const place = placeOf(event);
    if (typeof place === "string" && done.has(place)) return;
    // Some servers count all items as the first one, so the id of an open item decides.
    const item = items.get(event["item_id"]) ?? items.get(place) ?? beginUnannounced(type, event);
    if (item !== undefined) item.read(event);
    // An event of an unknown item is ignored, because the complete item repeats its data.
    else if (place === undefined) draft.addOther(event);
  };
  /** Whether events contained an item of the complete response. */
  const isDone = (place: number, item: Loose): boolean => {
    if (done.has(place) || isNamed(item)) return true;
    const index = unplaced.indexOf(item["type"]);
    return index >= 0 && unplaced.splice(index, 1).length > 0;
  };
  const readHead = (event: Loose): Loose => {
    const response = asRecord(event["response"]);
    draft.head(response["id"], response["model"]);
    draft.noteNew(response, metadataKeys);
    return response;
  };
  /** Reads the fields of the complete response, and output that no event contained. */
  const readEnd = (event: Loose): void => {
    const { output, usage, status, incomplete_details } = readHead(event);
    const missing = [...asList(output).entries()].filter(([at, item]) => isRecord(item) && !isDone(at, item));
    for (const [place, item] of missing) endItem(place, asRecord(item));
    draft.count(mapOpenAIUsage(usage));
    const word = nonEmptyText(asRecord(incomplete_details)["reason"]) ?? nonEmptyText(status) ?? "completed";
    // A content filter says so in the details.
    draft.finish(word, word === "incomplete" ? "length" : mapFinishReason(word, draft.called));
    draft.ended = true;
  };
  /** The reader of each event. Other events are about an open item. */
  const readers = tableOf<(event: Loose) => void>({
    "response.output_item.added": itemReader(begin),
    "response.output_item.done": itemReader(endItem),
    "response.created response.queued response.in_progress": readHead,
    "response.completed response.incomplete response.cancelled": readEnd,
    "response.audio.delta": ({ delta }) => addAudio("data", delta),
    "response.audio.transcript.delta": ({ delta }) => addAudio("transcript", delta),
    "response.audio.done response.audio.transcript.done keepalive": noop,
    "error response.failed": fail,
  });
  return {
    read(event) {
      const reader = readers.get(event["type"]) ?? readItemEvent;
      reader(event);
    },
  };
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

/** Fields that become metadata of the message. Azure has `content_filters`. */
const metadataKeys = wordsIn(
  "created_at service_tier previous_response_id conversation moderation content_filters",
);

/** Throws the error of an event: `error`, `response.failed`, or an error object that some servers send instead. */
function fail(event: Loose): never {
  const { type, response, ...fields } = event;
  const error = type === "error" && !isRecord(event["error"]) ? fields : undefined;
  if (type === "response.failed")
    throwErrorIn({ error: asRecord(response)["error"] ?? "the response has failed" });
  throwErrorIn(error === undefined ? event : { error });
  throw unexpectedError("an event of a response", event);
}
