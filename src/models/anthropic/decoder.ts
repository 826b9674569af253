import type { MessageChunk } from "../../messages/chunk.js";
import type { Operator } from "../../stream/operator.js";
import { decoderStage, type MessageDecoder, type ProviderWire } from "../wire/decoder-stage.js";
import { eventPayloads, withWholeAnswers } from "../wire/payload.js";
import type { endMarker, SseEvent } from "../wire/sse.js";
import { isObject, type JsonValue } from "../../json/value.js";
import type { Usage } from "../../messages/usage.js";
import { addUsage } from "../../text/add-usage.js";
import { asList, type Loose, asRecord, nonEmptyText, scalarText } from "../loose.js";
import type { ChunkDraft } from "../wire/chunk-draft.js";
import { noAnswerError } from "../wire/errors.js";
import { type BlockReader, blockReader } from "./response/block-readers.js";
import { errorIn } from "./response/stream-error.js";
import { usageFields, mapAnthropicUsage } from "./response/usage.js";

/**
 * Converts a stream of Anthropic's Messages API to message chunks. Accepts the events of `decodeSse()`, parsed events,
 * or a stream of the official SDK, including its beta API.
 *
 * Each event yields at most one chunk. Thinking becomes `reasoning` with its signature in the block's metadata. Calls
 * of server tools and their results become `server_tool_call_chunk` and `server_tool_result`. Blocks without a
 * counterpart become `non_standard`. The decoded message can be sent back to Anthropic.
 *
 * Events after the end of a message become part of the same message, and their usage is added.
 *
 * @throws {ModelError} `provider` for an error inside the stream; `protocol` for an invalid event; `cut` without a stop
 *   reason at the end
 *
 * @example
 * ```ts
 * import { from, last, mergeChunks, pipe, textOf } from "millrace";
 * import { decodeSse } from "millrace/models";
 * import { decodeAnthropic } from "millrace/anthropic";
 *
 * const wire = [
 *   'data: {"type": "message_start", "message": {"id": "msg_1", "content": []}}\n\n',
 *   'data: {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}\n\n',
 *   'data: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}}\n\n',
 *   'data: {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}\n\n',
 *   'data: {"type": "message_stop"}\n\n',
 * ];
 * const message = await last(pipe(from(wire), decodeSse(), decodeAnthropic(), mergeChunks()));
 * console.log(message && textOf(message), message?.finishReason); // "Hi" "stop"
 * ```
 */
export function decodeAnthropic(): Operator<AnthropicPayload, MessageChunk> {
  return decoderStage({ ...anthropicWire, create: (draft) => new AnthropicDecoder(draft, false) });
}

/** A message may have content when it starts. The reason of its end follows. */
function wholeMessage(answer: JsonValue): readonly JsonValue[] | undefined {
  const blocks = isObject(answer) ? answer["content"] : undefined;
  if (!isObject(answer) || !Array.isArray(blocks) || !blocks.every(isObject)) return undefined;
  const { stop_reason = null, stop_details = null, ...message } = answer;
  return [
    { type: "message_start", message },
    { type: "message_delta", delta: { stop_reason, stop_details } },
    { type: "message_stop" },
  ];
}

const lacking = "no event began a message";

/** The response to a request has one message. */
export const anthropicWire: ProviderWire = {
  payloads: withWholeAnswers(eventPayloads("an event of Anthropic's Messages"), wholeMessage),
  toEvents: wholeMessage,
  create: (draft) => new AnthropicDecoder(draft, true),
  lacking,
  missing: "without a stop reason",
};

/**
 * The input of `decodeAnthropic`: a parsed event, as the official SDK yields it; a server-sent event that contains one;
 * or an end marker, which some gateways add.
 */
export type AnthropicPayload = AnthropicEvent | SseEvent | typeof endMarker;

/** A parsed event of a Messages stream. The other fields depend on the type and are checked before use. */
export interface AnthropicEvent {
  readonly type: string;
}

/**
 * Decodes a stream event by event. Several messages in one stream become one: their blocks are concatenated and their
 * usage is added.
 */
class AnthropicDecoder implements MessageDecoder {
  private readonly draft: ChunkDraft;
  private readonly first: boolean;
  private readonly open = new Map<unknown, BlockReader>();
  /** Arguments that came before their call. */
  private readonly early = new Map<unknown, { readonly index: number; readonly deltas: Loose[] }>();
  private stopped = false;
  /** The usage of finished messages. */
  private earlier: Usage | undefined;
  /** The counts of the current message so far. Later events repeat some of them. */
  private counts: Loose = {};

  /** @param first whether to read only the first message */
  constructor(draft: ChunkDraft, first: boolean) {
    this.draft = draft;
    this.first = first;
  }

  read(event: Loose): void {
    const error = errorIn(event);
    if (error !== undefined) throw error;
    const { draft } = this;
    const { type, index } = event;
    switch (type) {
      case "content_block_delta":
        this.readDelta(index, asRecord(event["delta"]));
        break;
      case "content_block_start":
        this.open.get(index)?.end();
        this.startBlock(index, asRecord(event["content_block"]));
        break;
      case "content_block_stop":
        this.readEarly(index);
        this.open.get(index)?.end();
        this.open.delete(index);
        break;
      case "message_start":
        this.startMessage(asRecord(event["message"]));
        break;
      case "message_delta":
        this.change(event);
        break;
      case "message_stop":
        if (!draft.begun) throw noAnswerError(lacking);
        this.stopped = draft.finished = true;
        draft.ended = this.first;
        this.end(true);
        break;
      case "ping":
        break;
      default: {
        // Anthropic adds new events. Unknown ones must be ignored.
        const { type: _, ...fields } = event;
        draft.note(String(type), fields);
      }
    }
  }

  /** Arguments wait for the start of their call, which has its name. Any other delta begins its block. */
  private readDelta(place: unknown, delta: Loose): void {
    const { draft, early } = this;
    const reader = this.open.get(place);
    if (reader !== undefined || delta["type"] !== "input_json_delta") {
      (reader ?? this.openBlock(place, late(delta))).read(delta);
      return;
    }
    const known = early.get(place);
    if (known !== undefined) known.deltas.push(delta);
    else {
      const index = draft.nextBlock();
      early.set(place, { index, deltas: [delta] });
      draft.addCall(index, {});
    }
  }

  private startBlock(place: unknown, start: Loose): void {
    const reader = this.openBlock(place, start);
    reader.begin();
    this.replay(place, reader);
  }

  /** Reads the arguments of a call that has no start. */
  private readEarly(place: unknown): void {
    if (this.early.has(place)) this.replay(place, this.openBlock(place, { type: "tool_use" }));
  }

  private replay(place: unknown, reader: BlockReader): void {
    for (const delta of this.early.get(place)?.deltas ?? []) reader.read(delta);
    this.early.delete(place);
  }

  /** A stream that is cut has the partial content of blocks that otherwise appear only when complete. */
  end(complete: boolean): void {
    for (const index of this.early.keys()) this.readEarly(index);
    for (const reader of this.open.values()) {
      if (complete) reader.end();
      else reader.cut?.();
    }
    this.open.clear();
  }

  private startMessage(message: Loose): void {
    const { draft } = this;
    // Some gateways start a message twice. A new message follows only after a stop.
    if (this.stopped) this.earlier = this.usage();
    this.counts = {};
    this.stopped = draft.finished = false;
    draft.begun = true;
    const { id, model, content, usage, stop_reason, type: _, role: __, ...fields } = message;
    draft.head(id, model);
    draft.noteAll(fields);
    this.count(asRecord(usage));
    // A message starts with content when, for example, a provider's tool has called one of ours.
    for (const block of asList(content)) {
      const reader = blockReader(asRecord(block), draft.nextBlock(), draft);
      reader.begin();
      reader.end();
    }
    if (typeof stop_reason === "string") draft.finish(stop_reason);
  }

  private change({ type: _, delta, usage, ...others }: Loose): void {
    const { draft } = this;
    const { stop_reason, ...fields } = asRecord(delta);
    draft.noteAll(others);
    draft.noteAll(fields);
    // Later events repeat the explanation of a refusal.
    const refusal = nonEmptyText(asRecord(fields["stop_details"])["explanation"]);
    if (refusal !== undefined && draft.isNew("the refusal", refusal)) draft.refuse(refusal);
    this.count(asRecord(usage));
    if (typeof stop_reason === "string") draft.finish(stop_reason);
    if (draft.finished) this.end(true);
    draft.send();
  }

  private openBlock(place: unknown, start: Loose): BlockReader {
    this.draft.begun = true;
    const early = start["type"] === "tool_use" ? this.early.get(place) : undefined;
    const reader = blockReader(start, early?.index ?? this.draft.nextBlock(), this.draft);
    this.open.set(place, reader);
    return reader;
  }

  private count(counts: Loose): void {
    const known = Object.entries(counts).filter(([, value]) => value !== null);
    this.counts = { ...this.counts, ...Object.fromEntries(known) };
    if (known.length > 0) this.draft.count(this.usage());
    this.draft.noteAll(Object.fromEntries(known.filter(([name]) => !usageFields.has(name))));
  }

  private usage(): Usage | undefined {
    return addUsage(this.earlier, mapAnthropicUsage(this.counts));
  }
}

/** Creates the missing start of a block from its first delta. */
function late(delta: Loose): Loose {
  const type = scalarText(delta["type"]);
  return { type: startOf.get(type) ?? type };
}

const startOf: ReadonlyMap<string, string> = new Map([
  ["text_delta", "text"],
  ["citations_delta", "text"],
  ["thinking_delta", "thinking"],
  ["signature_delta", "thinking"],
]);
