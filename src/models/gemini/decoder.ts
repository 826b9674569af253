import { isObject, type JsonValue } from "../../json/value.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { Operator } from "../../stream/operator.js";
import { decoderStage, type MessageDecoder, type ProviderWire } from "../wire/decoder-stage.js";
import { eventPayloads, type PayloadReader } from "../wire/payload.js";
import { asList, asRecord, errorIn, firstAnswer, isRecord, type Loose, nonEmptyText } from "../loose.js";
import { endMarker, type SseEvent } from "../wire/sse.js";
import { throwErrorIn } from "../http/provider-error.js";
import type { ChunkDraft } from "../wire/chunk-draft.js";
import { mapFinishReason } from "../wire/finish-reason.js";
import { wordsIn } from "../../text/words-in.js";
import { toOwnName } from "./function-name.js";
import { partReader } from "./response/part-reader.js";
import { Sources } from "./response/sources.js";
import { mapGeminiUsage } from "./response/usage.js";
import { parsedJson } from "../../text/json-text.js";

/**
 * Decodes a stream of Gemini's `streamGenerateContent` to message chunks. Reads the first candidate.
 *
 * A response yields at most one chunk. Consecutive texts form one block, consecutive thoughts another (`reasoning`), and
 * each function call its own, with signatures in their `metadata`. Sources become citations of the text blocks once the
 * text is complete. A part without a counterpart becomes `non_standard`.
 *
 * @throws {ModelError} `provider` for an error in the stream, or a finish reason such as `MALFORMED_FUNCTION_CALL`,
 *   `protocol` for an invalid response, `cut` without a finish reason
 *
 * @example
 * ```ts
 * import { from, mergeChunks, last, pipe, textOf } from "millrace";
 * import { decodeSse } from "millrace/models";
 * import { decodeGemini } from "millrace/gemini";
 *
 * const wire = ['data: {"candidates": [{"content": {"parts": [{"text": "Hi"}]}, "finishReason": "STOP"}]}\n\n'];
 * const message = await last(pipe(from(wire), decodeSse(), decodeGemini(), mergeChunks()));
 * console.log(message && textOf(message)); // "Hi"
 * ```
 */
export function decodeGemini(): Operator<GeminiPayload, MessageChunk> {
  return decoderStage({ ...geminiWire, create: geminiDecoder });
}

/** Gives calls the names of our tools. */
export const geminiWire: ProviderWire = {
  payloads: geminiPayloads,
  toEvents: wholeResponses,
  create: (draft) => geminiDecoder(draft, toOwnName),
  noAnswer: "no response had a candidate",
  noEnd: "without a finish reason", // Gemini sends no end marker
};

/** Without `alt=sse`, Gemini sends the responses of a stream as one array. */
function wholeResponses(answer: JsonValue): readonly JsonValue[] | undefined {
  const responses = [answer].flat();
  const [first] = responses;
  const isAnswer =
    isObject(first) && ["candidates", "promptFeedback", "usageMetadata"].some((key) => key in first);
  return isAnswer ? responses : undefined;
}

/**
 * The input of `decodeGemini`: a parsed response, as the official SDK yields it; an event of `decodeSse()` that contains
 * one; or an array of responses, which Gemini sends without `alt=sse`.
 */
export type GeminiPayload = GeminiResponse | SseEvent | readonly GeminiResponse[];

/** The fields that are read from a response. */
export interface GeminiResponse {
  readonly candidates?: readonly object[] | null | undefined;
  readonly promptFeedback?: object | null | undefined;
  readonly usageMetadata?: object | null | undefined;
  readonly modelVersion?: string | null | undefined;
  readonly responseId?: string | null | undefined;
  /** The only field if the provider fails. */
  readonly error?: unknown;
}

function geminiPayloads(): PayloadReader {
  const read = eventPayloads("a response of Gemini")();
  const responsesIn: PayloadReader = (item) => {
    if (Array.isArray(item)) return item.flatMap((it) => responsesIn(it));
    // The SDK's responses have a getter `data` that writes to the console.
    if (isRecord(item) && !Object.hasOwn(item, "data") && !(item instanceof Uint8Array)) return [item];
    const list = listIn(asRecord(item)["data"]);
    if (list !== undefined) return responsesIn(list);
    // Gemini sends no end marker, but some gateways send OpenAI's.
    return read(item).filter((payload) => payload !== endMarker);
  };
  return responsesIn;
}

/** Errors may be inside an array. */
function listIn(data: unknown): unknown[] | undefined {
  if (typeof data !== "string" || !/^\s*\[\s*\{/.test(data)) return undefined;
  const value = parsedJson(data);
  return Array.isArray(value) ? value : undefined;
}

function geminiDecoder(draft: ChunkDraft, nameOf?: (name: string) => string): MessageDecoder {
  const parts = partReader(draft, nameOf);
  const sources = new Sources();

  const addSources = (): void => sources.take(parts.texts).forEach((block) => draft.add(block));
  const readCandidate = (candidate: Loose): void => {
    const { content, finishReason, groundingMetadata, citationMetadata } = candidate;
    for (const part of asList(asRecord(content)["parts"])) parts.read(part);
    draft.noteNew(candidate, candidateKeys);
    if (groundingMetadata !== undefined || citationMetadata !== undefined) sources.read(candidate);
    draft.addLists(candidate["logprobsResult"]);
    const word = finishReason === "FINISH_REASON_UNSPECIFIED" ? undefined : nonEmptyText(finishReason);
    if (word === undefined) return;
    // Gemini sends STOP after a call, too.
    const reason = mapFinishReason(word, draft.called);
    // After any other reason an open call is cut and must not look complete.
    if (reason === "tool_calls") parts.end();
    // Each time, all texts are read again. So later sources wait for the end of the stream.
    if (!draft.finished) addSources();
    draft.finish(word, reason);
  };
  /** The prompt was refused, so no candidate will follow. */
  const readFeedback = (feedback: Loose): void => {
    draft.note("promptFeedback", feedback);
    const word = nonEmptyText(feedback["blockReason"]);
    if (word === undefined || draft.finished) return;
    draft.finish(word, "content_filter");
    draft.refuse(nonEmptyText(feedback["blockReasonMessage"]));
  };
  return {
    read(response) {
      const { candidates, promptFeedback, usageMetadata } = response;
      const candidate = firstAnswer(candidates); // interleaved with others if `candidateCount` is above 1
      if (candidate === undefined || errorIn(response) !== undefined) throwErrorIn(response);
      if (candidate !== undefined || isRecord(promptFeedback)) draft.begun = true;
      else if (!isRecord(usageMetadata)) draft.unrecognised = true;
      draft.head(response["responseId"], response["modelVersion"]);
      draft.noteNew(response, headKeys);
      if (isRecord(usageMetadata)) {
        draft.noteNew(usageMetadata, usageKeys);
        const usage = mapGeminiUsage(usageMetadata);
        if (usage !== undefined && draft.isNew("usage", usage)) draft.count(usage);
      }
      if (candidate !== undefined) readCandidate(candidate);
      if (isRecord(promptFeedback)) readFeedback(promptFeedback);
    },
    end: (complete) => complete && addSources(),
  };
}

const headKeys = wordsIn("createTime modelStatus");
const usageKeys = wordsIn("trafficType");
const candidateKeys = wordsIn(`
  finishMessage safetyRatings groundingMetadata citationMetadata urlContextMetadata avgLogprobs
  continuationToken
`);
