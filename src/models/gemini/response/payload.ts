import { isEmptyEvent, readPayload } from "../../wire/payload.js";
import { isRecord, type Loose, parsedJson } from "../../loose.js";
import { endMarker, type SseEvent } from "../../wire/sse.js";

/**
 * The input of `decodeGemini`: a parsed response, as the official SDK yields it; a server-sent event that contains one;
 * or an array of responses, which Gemini sends without `alt=sse`. Only the needed fields are read, and each may be
 * absent or null.
 */
export type GeminiPayload = GeminiResponse | SseEvent | readonly GeminiResponse[];

/** The fields read from a response of `streamGenerateContent`. */
export interface GeminiResponse {
  readonly candidates?: readonly object[] | null | undefined;
  readonly promptFeedback?: object | null | undefined;
  readonly usageMetadata?: object | null | undefined;
  readonly modelVersion?: string | null | undefined;
  readonly responseId?: string | null | undefined;
  /** The only field if the provider fails. */
  readonly error?: unknown;
}

/** @throws {ModelError} `protocol` for an invalid payload, `cut` for the start of one */
export function responsesIn(item: unknown): Loose[] {
  if (Array.isArray(item)) return item.flatMap((it) => responsesIn(it));
  // The SDK's responses have a getter `data` that writes to the console.
  if (isRecord(item) && !Object.hasOwn(item, "data")) return [item];
  if (isEmptyEvent(item)) return [];
  const list = isRecord(item) ? listIn(item["data"]) : undefined;
  if (list !== undefined) return list.flatMap((it) => responsesIn(it));
  const payload = readPayload(item, "a response of Gemini");
  // Gemini sends no end marker, but some gateways send OpenAI's.
  return payload === endMarker ? [] : [payload];
}

/** Errors may be inside an array. */
function listIn(data: unknown): unknown[] | undefined {
  if (typeof data !== "string" || !/^\s*\[\s*\{/.test(data)) return undefined;
  const value = parsedJson(data);
  return Array.isArray(value) ? value : undefined;
}
