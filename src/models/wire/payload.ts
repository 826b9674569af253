import { truncatedItemError, isTruncatedJson } from "./truncation.js";
import { shortExcerpt, ModelError } from "../contract/errors.js";
import { isRecord, type Loose } from "../loose.js";
import type { SseEvent } from "./sse.js";

/** What the stream of Chat Completions, and some others, end with. */
export const endMarker = "[DONE]";

/**
 * The object inside an item of a provider's stream: a parsed payload as it is, the data of a server-sent event parsed; or
 * the end marker.
 *
 * @param kind what is expected, in words: "a chunk of a chat completion"
 * @throws {ModelError} `protocol` if it is neither, `cut` if the data is the start of a JSON document
 */
export function readPayload(item: unknown, kind: string): Loose | typeof endMarker {
  if (item === endMarker) return endMarker;
  if (!isRecord(item)) throw unexpected(JSON.stringify(item) ?? String(item), kind);
  return isEvent(item) ? readEvent(item, kind) : item;
}

/** Payloads of some providers have a `data` of their own, but an event has nothing else. */
function isEvent(item: Loose): item is Loose & SseEvent {
  if (typeof item["data"] !== "string") return false;
  for (const key in item) if (key !== "data" && key !== "event" && key !== "id") return false;
  return true;
}

function readEvent({ data, event }: SseEvent, kind: string): Loose | typeof endMarker {
  if (!data.startsWith("{") && data.trim() === endMarker) return endMarker;
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (cause) {
    if (event === "error") return { error: data };
    throw isTruncatedJson(data) ? truncatedItemError("an event", data, cause) : unexpected(data, kind, cause);
  }
  if (event === "error") return isRecord(value) && "error" in value ? value : { error: value };
  if (!isRecord(value)) throw unexpected(data, kind);
  return value;
}

function unexpected(text: string, kind: string, cause?: unknown): ModelError {
  const excerpt = shortExcerpt(text);
  return new ModelError("protocol", `Expected ${kind} as JSON, but got: ${excerpt}`, {
    excerpt,
    ...(cause === undefined ? undefined : { cause }),
  });
}
