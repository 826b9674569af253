import type { MessageChunk } from "../../messages/chunk.js";
import type { Operator } from "../../stream/operator.js";
import { decoderStage, type MessageDecoder, type ProviderWire } from "../wire/decoder-stage.js";
import { type EventPayload, eventPayloads } from "../wire/payload.js";
import { isObject, type JsonValue } from "../../json/value.js";
import { noop } from "../../stream/core/result.js";
import { tableOf } from "../../text/words-in.js";
import type { Usage } from "../../messages/usage.js";
import { addUsage } from "../../text/add-usage.js";
import { asList, type Loose, asRecord, nonEmptyText } from "../loose.js";
import type { ChunkDraft } from "../wire/chunk-draft.js";
import { noAnswerError } from "../wire/errors.js";
import { type BlockReader, blockReader, unstartedReader } from "./response/block-readers.js";
import { checkEvent } from "./response/stream-error.js";
import { usageFields, mapAnthropicUsage } from "./response/usage.js";

/**
 * Decodes a stream of Anthropic's Messages API to message chunks. Events after the end of a message become part of the
 * same message, and their usage is added.
 *
 * An event yields at most one chunk. Thinking becomes `reasoning` with its signature in the block's metadata. Calls of
 * server tools and their results become `server_tool_call_chunk` and `server_tool_result`, blocks without a counterpart
 * `non_standard`. The message can be sent back to Anthropic.
 *
 * @throws {ModelError} `provider` for an error in the stream, `protocol` for an invalid event, `cut` without a stop reason
 *
 * @example
 * ```ts
 * import { from, last, mergeChunks, pipe, textOf } from "millrace";
 * import { decodeSse } from "millrace/models";
 * import { decodeAnthropic } from "millrace/anthropic";
 *
 * const wire = [
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
  if (!isObject(answer)) return undefined;
  const { stop_reason = null, stop_details = null, ...message } = answer;
  const { content } = message;
  if (!Array.isArray(content) || !content.every(isObject)) return undefined;
  return [
    { type: "message_start", message },
    { type: "message_delta", delta: { stop_reason, stop_details } },
    { type: "message_stop" },
  ];
}

const noAnswer = "no event began a message";

export const anthropicWire: ProviderWire = {
  payloads: eventPayloads("an event of Anthropic's Messages", wholeMessage),
  toEvents: wholeMessage,
  create: (draft) => anthropicDecoder(draft, true),
  noAnswer,
  noEnd: "without a stop reason",
};

/** The input of `decodeAnthropic`. The official SDK and its beta API yield parsed events. */
export type AnthropicPayload = EventPayload<AnthropicEvent>;

/** A parsed event of a Messages stream. The other fields depend on the type and are checked before use. */
export interface AnthropicEvent {
  readonly type: string;
}

/** @param first whether only the first message of the stream is read. Several become one */
function anthropicDecoder(draft: ChunkDraft, first: boolean): MessageDecoder {
  const open = new Map<unknown, BlockReader>();
  let last: BlockReader | undefined;
  let stopped = false;
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
  const endBlock = (place: unknown): void => {
    const reader = open.get(place);
    reader?.end?.();
    last = reader ?? last;
    open.delete(place);
  };
  const startBlock = (place: unknown, start: Loose): void => {
    const before = open.get(place);
    const late = before?.start?.(start);
    if (late === undefined) endBlock(place);
    last?.beforeNext?.();
    last = undefined;
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
    for (const reader of open.values()) reader[complete ? "end" : "cut"]?.();
    open.clear();
  };
  const change = ({ type: _, delta, usage, ...others }: Loose): void => {
    const { stop_reason, ...fields } = asRecord(delta);
    draft.noteAll({ ...others, ...fields });
    // Later events repeat the explanation of a refusal.
    const refusal = nonEmptyText(asRecord(fields["stop_details"])["explanation"]);
    if (refusal !== undefined && draft.isNew("the refusal", refusal)) draft.refuse(refusal);
    count(asRecord(usage));
    if (typeof stop_reason === "string") draft.finish(stop_reason);
    if (draft.finished) end(true);
    draft.send();
  };
  const stop = (): void => {
    if (!draft.begun) throw noAnswerError(noAnswer);
    stopped = draft.finished = true;
    draft.ended = first;
    end(true);
  };
  /** Anthropic adds new events. Unknown ones must be ignored. */
  const noteEvent = ({ type, ...fields }: Loose): void => draft.note(String(type), fields);
  const readers = tableOf<(event: Loose) => void>({
    content_block_delta: ({ index, delta }) => readDelta(index, asRecord(delta)),
    content_block_start: ({ index, content_block }) => startBlock(index, asRecord(content_block)),
    content_block_stop: ({ index }) => endBlock(index),
    message_start: ({ message }) => startMessage(asRecord(message)),
    message_delta: change,
    message_stop: stop,
    ping: noop,
  });
  return {
    read(event) {
      checkEvent(event);
      const reader = readers.get(event["type"]) ?? noteEvent;
      reader(event);
    },
    end,
  };
}
