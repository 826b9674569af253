import type { MessageChunk } from "../../messages/chunk.js";
import type { Operator } from "../../stream/operator.js";
import { decoderStage, type MessageDecoder, type ProviderWire } from "../wire/decoder-stage.js";
import { eventPayloads, withWholeAnswers } from "../wire/payload.js";
import type { endMarker, SseEvent } from "../wire/sse.js";
import { isObject, type JsonValue } from "../../json/value.js";
import type { Usage } from "../../messages/usage.js";
import { addUsage } from "../../text/add-usage.js";
import { asList, type Loose, asRecord, nonEmptyText } from "../loose.js";
import type { ChunkDraft } from "../wire/chunk-draft.js";
import { noAnswerError } from "../wire/errors.js";
import { type BlockReader, blockReader, unstartedReader } from "./response/block-readers.js";
import { checkEvent } from "./response/stream-error.js";
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
  return decoderStage({ ...anthropicWire, create: (draft) => anthropicDecoder(draft, false) });
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
  create: (draft) => anthropicDecoder(draft, true),
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
function anthropicDecoder(draft: ChunkDraft, first: boolean): MessageDecoder {
  const open = new Map<unknown, BlockReader>();
  let stopped = false;
  /** The usage of finished messages. */
  let earlier: Usage | undefined;
  /** The counts of the current message so far. Later events repeat some of them. */
  let counts: Loose = {};

  const openBlock = (place: unknown, reader: BlockReader): BlockReader => {
    draft.begun = true;
    open.set(place, reader);
    return reader;
  };
  const readDelta = (place: unknown, delta: Loose): void => {
    const reader = open.get(place) ?? openBlock(place, unstartedReader(delta, draft.nextBlock(), draft));
    reader.read(delta);
  };
  const startBlock = (place: unknown, start: Loose): void => {
    const before = open.get(place);
    const late = before?.start?.(start);
    if (late === undefined) before?.end?.();
    const reader = openBlock(place, late ?? blockReader(start, draft.nextBlock(), draft));
    if (late === undefined) reader.begin?.();
  };
  const total = (): Usage | undefined => addUsage(earlier, mapAnthropicUsage(counts));
  const count = (added: Loose): void => {
    const known = Object.entries(added).filter(([, value]) => value !== null);
    counts = { ...counts, ...Object.fromEntries(known) };
    if (known.length > 0) draft.count(total());
    draft.noteAll(Object.fromEntries(known.filter(([name]) => !usageFields.has(name))));
  };
  const startMessage = (message: Loose): void => {
    // Some gateways start a message twice. A new message follows only after a stop.
    if (stopped) earlier = total();
    counts = {};
    stopped = draft.finished = false;
    draft.begun = true;
    const { id, model, content, usage, stop_reason, type: _, role: __, ...fields } = message;
    draft.head(id, model);
    draft.noteAll(fields);
    count(asRecord(usage));
    // A message starts with content when, for example, a provider's tool has called one of ours.
    for (const block of asList(content)) {
      const reader = blockReader(asRecord(block), draft.nextBlock(), draft);
      reader.begin?.();
      reader.end?.();
    }
    if (typeof stop_reason === "string") draft.finish(stop_reason);
  };
  /** A stream that is cut has the partial content of blocks that otherwise appear only when complete. */
  const end = (complete: boolean): void => {
    for (const reader of open.values()) {
      if (complete) reader.end?.();
      else reader.cut?.();
    }
    open.clear();
  };
  const change = ({ type: _, delta, usage, ...others }: Loose): void => {
    const { stop_reason, ...fields } = asRecord(delta);
    draft.noteAll(others);
    draft.noteAll(fields);
    // Later events repeat the explanation of a refusal.
    const refusal = nonEmptyText(asRecord(fields["stop_details"])["explanation"]);
    if (refusal !== undefined && draft.isNew("the refusal", refusal)) draft.refuse(refusal);
    count(asRecord(usage));
    if (typeof stop_reason === "string") draft.finish(stop_reason);
    if (draft.finished) end(true);
    draft.send();
  };
  return {
    read(event) {
      checkEvent(event);
      const { type, index } = event;
      switch (type) {
        case "content_block_delta":
          readDelta(index, asRecord(event["delta"]));
          break;
        case "content_block_start":
          startBlock(index, asRecord(event["content_block"]));
          break;
        case "content_block_stop":
          open.get(index)?.end?.();
          open.delete(index);
          break;
        case "message_start":
          startMessage(asRecord(event["message"]));
          break;
        case "message_delta":
          change(event);
          break;
        case "message_stop":
          if (!draft.begun) throw noAnswerError(lacking);
          stopped = draft.finished = true;
          draft.ended = first;
          end(true);
          break;
        case "ping":
          break;
        default: {
          // Anthropic adds new events. Unknown ones must be ignored.
          const { type: _, ...fields } = event;
          draft.note(String(type), fields);
        }
      }
    },
    end,
  };
}
