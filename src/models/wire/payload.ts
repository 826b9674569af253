import { SimilarJson } from "./similar-json.js";
import { endMarker, type SseEvent } from "./sse.js";
import { isTruncatedJson, truncatedItemError, unexpectedError } from "./errors.js";
import type { JsonValue } from "../../json/value.js";
import { errorIn, isRecord, type Loose } from "../loose.js";

export type PayloadReader = (item: unknown) => readonly (Loose | typeof endMarker)[];

/** The input of a decoder: a parsed event; an event of `decodeSse()` that contains one; or the end marker. */
export type EventPayload<Event> = Event | SseEvent | typeof endMarker;

/**
 * Returns the function that starts to read a stream of parsed payloads, server-sent events and `[DONE]`. Events without
 * data are skipped.
 *
 * @param kind name of a payload in errors, for example "a chunk of a chat completion"
 * @param toEvents the events of a whole answer, which servers that do not stream may send as one event
 */
export function eventPayloads(
  kind: string,
  toEvents?: (payload: JsonValue) => readonly JsonValue[] | undefined,
): () => PayloadReader {
  return () => {
    const json = new SimilarJson();
    return (item) => {
      if (isEmptyEvent(item)) return [];
      const payload = readPayload(item, kind, json);
      return (toEvents?.(payload as JsonValue) as readonly Loose[] | undefined) ?? [payload];
    };
  };
}

function readPayload(item: unknown, kind: string, json: SimilarJson): Loose | typeof endMarker {
  if (item === endMarker) return endMarker;
  if (!isRecord(item) || item instanceof Uint8Array)
    throw unexpectedError(`${kind} as JSON`, undecoded(item));
  return isEvent(item) ? readEvent(item, kind, json) : item;
}

/** A stream of bytes or of text is not decoded yet. */
function undecoded(item: unknown): unknown {
  const what =
    item instanceof Uint8Array ? "bytes" : typeof item === "string" && item.includes("\n") && "text";
  return what ? `${what}. Put decodeSse(), or decodeNdjson() for lines of JSON, before the decoder.` : item;
}

/** Some gateways send events without data to keep the connection open. An `error` event counts even without data. */
function isEmptyEvent(item: unknown): boolean {
  if (!isRecord(item) || typeof item["data"] !== "string" || item["data"].trim() !== "") return false;
  return isEvent(item) && item.event !== "error";
}

/** Payloads of some providers also have a `data` field, but an event has no other fields. */
function isEvent(item: Loose): item is Loose & SseEvent {
  if (typeof item["data"] !== "string") return false;
  for (const key in item) if (key !== "data" && key !== "event" && key !== "id") return false;
  return true;
}

function readEvent({ data, event }: SseEvent, kind: string, json: SimilarJson): Loose | typeof endMarker {
  if (!data.startsWith("{") && data.trim() === endMarker) return endMarker;
  let value: unknown;
  try {
    value = json.parse(data);
  } catch (cause) {
    if (event === "error") return errorEvent(data);
    throw isTruncatedJson(data)
      ? truncatedItemError("an event", data, cause)
      : unexpectedError(`${kind} as JSON`, data, cause);
  }
  if (event === "error") return errorEvent(value);
  if (!isRecord(value)) throw unexpectedError(`${kind} as JSON`, data);
  return value;
}

/** An event that is an error by its name, whatever it says. */
function errorEvent(value: unknown): Loose {
  const payload = isRecord(value) && "error" in value ? value : { error: value };
  return errorIn(payload) === undefined ? { error: "no reason stated" } : payload;
}
