import type { MessageChunk } from "../../../messages/chunk.js";
import type { Operator } from "../../../stream/operator.js";
import { decoderStage, type MessageDecoder, type ProviderWire } from "../../wire/decoder-stage.js";
import { type EventPayload, eventPayloads } from "../../wire/payload.js";
import { endMarker } from "../../wire/sse.js";
import { isObject, withoutUndefined } from "../../../json/value.js";
import { noop } from "../../../stream/core/result.js";
import { tableOf, wordSet } from "../../../text/words-in.js";
import { throwErrorIn } from "../../http/provider-error.js";
import {
  firstAnswer,
  asList,
  asNumber,
  asRecord,
  errorIn,
  fieldsOrUndefined,
  isRecord,
  type Loose,
  nonEmptyText,
} from "../../loose.js";
import { callDeltas } from "../../wire/call-deltas.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { mapFinishReason } from "../../wire/finish-reason.js";
import { mapOpenAIAnnotations } from "../annotations.js";
import { mapOpenAIUsage } from "../usage.js";

/**
 * Decodes the stream of OpenAI's Chat Completions and of compatible servers to message chunks. Reads the first choice.
 *
 * A payload yields at most one chunk. The text, the reasoning and the speech of a message are one block each, and so is
 * every tool call. Unknown content parts become `non_standard`; unknown fields become `metadata` under the server's own
 * name. Lists in a delta, such as token log probabilities, are concatenated (`metadataDelta`).
 *
 * @throws {ModelError} `provider` for an error in the stream, `protocol` for anything else than a chat completion, `cut`
 *   without a finish reason and `[DONE]`
 *
 * @example
 * ```ts
 * import { from, mergeChunks, last, pipe, textOf } from "millrace";
 * import { decodeSse } from "millrace/models";
 * import { decodeOpenAIChat } from "millrace/openai";
 *
 * const wire = ['data: {"choices": [{"delta": {"content": "Hello"}, "finish_reason": "stop"}]}\n\n'];
 * const message = await last(pipe(from(wire), decodeSse(), decodeOpenAIChat(), mergeChunks()));
 * console.log(message && textOf(message)); // "Hello"
 * ```
 */
export function decodeOpenAIChat(): Operator<OpenAIChatPayload, MessageChunk> {
  return decoderStage(chatWire);
}

export const chatWire: ProviderWire = {
  payloads: eventPayloads("a chunk of a chat completion"),
  // A whole completion is read as one chunk: it has a message instead of a delta. It is complete in any case.
  toEvents: (answer) =>
    isObject(answer) && Array.isArray(answer["choices"]) ? [answer, endMarker] : undefined,
  create: chatDecoder,
  noAnswer: "no payload had a choice",
  noEnd: "without a finish reason",
  doneEnds: true,
};

/** The input of `decodeOpenAIChat`. The official SDK yields parsed chunks. */
export type OpenAIChatPayload = EventPayload<OpenAIChatChunk>;

/** The fields that are read from a chunk. */
export interface OpenAIChatChunk {
  readonly id?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly choices?: readonly object[] | null | undefined;
  readonly usage?: object | null | undefined;
  /** Replaces all other fields if the provider fails. */
  readonly error?: unknown;
}

function chatDecoder(draft: ChunkDraft): MessageDecoder {
  const calls = callDeltas(draft);

  const noteOthers = (fields: Loose, known: ReadonlySet<unknown>): void => {
    for (const name in fields) if (!known.has(name)) draft.noteOnce(name, fields[name]);
  };
  const addText = (text: unknown): unknown => draft.write("text", "text", nonEmptyText(text));
  const addReasoning = (reasoning: unknown, first?: { readonly type: string }): unknown =>
    draft.write("reasoning", "reasoning", nonEmptyText(reasoning), { first });
  const readDelta = (delta: Loose): void => {
    // Some servers send both fields, with the same text, or "" in the one that they do not use.
    const type = nonEmptyText(delta["reasoning_content"]) === undefined ? "reasoning" : "reasoning_content";
    addReasoning(delta[type], { type });
    for (const key in delta) {
      const value = delta[key];
      if (value === null || value === undefined) continue;
      const reader = readers.get(key);
      if (reader !== undefined) reader(value);
      else if (!Array.isArray(value)) draft.noteOnce(key, value);
      // Lists such as OpenRouter's `reasoning_details` are deltas.
      else if (draft.addLists({ [key]: value })) draft.send();
    }
  };
  /** A value in place of a delta may have been a piece of a call. */
  const readLost = (value: unknown): void => {
    for (const it of [value].flat()) if (!isRecord(it)) calls.read(it);
  };
  const readChoice = (choice: Loose): void => {
    draft.begun = true;
    const delta = choice["delta"] ?? choice["message"];
    if (isRecord(delta)) readDelta(delta);
    else readLost(delta);
    const reason = finishReasonIn(choice);
    if (reason !== undefined) draft.finish(reason);
    noteOthers(choice, choiceFields);
    if (draft.addLogprobs(choice["logprobs"])) draft.send();
  };
  /** OpenRouter generates images: `{type: "image_url", image_url: {url}}`. */
  const addImage = (image: unknown): void => {
    const url = nonEmptyText(asRecord(asRecord(image)["image_url"])["url"]);
    if (url === undefined) draft.addOther(image);
    else draft.add({ type: "image", url });
  };
  /** Requests refer to speech by its id. Its format is the requested one. */
  const addAudio = (audio: unknown): void => {
    if (!isRecord(audio)) return;
    const { id, expires_at, data, transcript } = audio;
    const metadata = fieldsOrUndefined({ id: nonEmptyText(id), expires_at: asNumber(expires_at) });
    const fields = { data: nonEmptyText(data), transcript: nonEmptyText(transcript), metadata };
    draft.add({ type: "audio", index: draft.placeOf("audio"), ...withoutUndefined(fields) });
  };
  /** Mistral writes `{type: "text", text}` and `{type: "thinking", thinking: [{type: "text", text}]}`. */
  const readPart = (part: unknown): void => {
    if (typeof part === "string") addText(part);
    if (!isRecord(part)) return;
    const { type, thinking, text } = part;
    if (type === "thinking") {
      for (const thought of [thinking].flat()) addReasoning(isRecord(thought) ? thought["text"] : thought);
    } else if (typeof text === "string") addText(text);
    else if (type === "image_url") addImage(part);
    else draft.addOther(part);
  };
  const readContent = (content: unknown): void => {
    if (Array.isArray(content)) for (const part of content) readPart(part);
    else addText(content);
  };
  /** The reader of each field of a delta. Other fields are metadata. */
  const readers = tableOf<(value: unknown) => void>({
    content: readContent,
    tool_calls: (value) =>
      Array.isArray(value) ? value.forEach((call) => calls.read(call)) : readLost(value),
    // Replaced by tool_calls in November 2023, but some servers still use it.
    function_call: (value) => calls.read({ index: 0, function: value }),
    refusal: (value) => draft.refuse(nonEmptyText(value)),
    audio: addAudio,
    annotations: (list) =>
      draft.write("text", "text", undefined, { annotations: mapOpenAIAnnotations(list) }),
    images: (value) => asList(value).forEach(addImage),
    "role reasoning reasoning_content": noop,
  });
  return {
    read(payload) {
      const choice = firstAnswer(payload["choices"]);
      draft.head(payload["id"], payload["model"]);
      noteOthers(payload, payloadFields);
      if (choice !== undefined) readChoice(choice);
      else readLost(payload["choices"]);
      // Older Groq servers report usage only in `x_groq`.
      const usage = mapOpenAIUsage(payload["usage"] ?? asRecord(payload["x_groq"])["usage"]);
      draft.count(usage);
      if (usage !== undefined) draft.send();
      if (choice === undefined || errorIn(payload) !== undefined) throwErrorIn(payload);
      if (choice !== undefined && errorIn(choice) !== undefined) throwErrorIn({ error: choice["error"] }); // OpenRouter
    },
    end: calls.end,
  };
}

/**
 * The fields of a payload that are not metadata. Azure, for example, adds its filters, and Perplexity its sources.
 * `obfuscation` is random padding that hides the length of tokens.
 */
const payloadFields = wordSet("id model choices usage x_groq object obfuscation error");
const choiceFields = wordSet("index delta message finish_reason logprobs error");

/** OpenRouter calls an end "stop" that Gemini calls `MALFORMED_FUNCTION_CALL`. */
function finishReasonIn({ finish_reason, native_finish_reason }: Loose): string | undefined {
  const reason = nonEmptyText(finish_reason);
  const native = nonEmptyText(native_finish_reason) ?? "";
  return reason !== undefined && mapFinishReason(native) === "error" ? native : reason;
}
