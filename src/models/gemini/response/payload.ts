import { endMarker, readPayload } from "../../wire/payload.js";
import { isRecord, type Loose } from "../../loose.js";
import type { SseEvent } from "../../wire/sse.js";

/**
 * What `decodeGemini` reads: a parsed response, as the official SDK's stream yields it; a server-sent event that has one
 * as its data; or an array of responses, which is what Gemini sends without `alt=sse`. Only what is needed is looked at,
 * and each field may be absent or null.
 */
export type GeminiPayload = GeminiResponse | SseEvent | readonly GeminiResponse[];

/** One response of a `streamGenerateContent` stream, as far as it is read. */
export interface GeminiResponse {
  readonly candidates?: readonly object[] | null | undefined;
  readonly promptFeedback?: object | null | undefined;
  readonly usageMetadata?: object | null | undefined;
  readonly modelVersion?: string | null | undefined;
  readonly responseId?: string | null | undefined;
  /** In place of all the others, when the provider fails. */
  readonly error?: unknown;
}

/** @throws {ModelError} `protocol` if it is no such payload, `cut` if it is the start of one */
export function responsesIn(item: unknown): Loose[] {
  if (Array.isArray(item)) return item.flatMap((it) => responsesIn(it));
  // The SDK's responses have a getter `data`, which writes to the console.
  if (isRecord(item) && !Object.hasOwn(item, "data")) return [item];
  const list = isRecord(item) ? listIn(item["data"]) : undefined;
  if (list !== undefined) return list.flatMap((it) => responsesIn(it));
  const payload = readPayload(item, "a response of Gemini");
  // Gemini has no end marker, but some gateways send OpenAI's.
  return payload === endMarker ? [] : [payload];
}

/** Errors may come inside an array. */
function listIn(data: unknown): unknown[] | undefined {
  if (typeof data !== "string" || !/^\s*\[\s*\{/.test(data)) return undefined;
  try {
    const value: unknown = JSON.parse(data);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
