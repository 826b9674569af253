import { JsonParseError } from "../../json/errors.js";
import { JsonParser } from "../../json/parser.js";
import { excerptOf, ModelError } from "../errors.js";
import type { SseEvent } from "../sse.js";

/**
 * What `decodeOpenAIChat` reads: a parsed `chat.completion.chunk`, as the official SDK's stream yields it; a server-sent
 * event that has one as its data; or the end marker. Only what is needed is looked at, and each field may be absent or
 * null.
 */
export type OpenAIChatPayload = OpenAIChatChunk | SseEvent | typeof endMarker;

/** One parsed event of a Chat Completions stream, as far as it is read. */
export interface OpenAIChatChunk {
  readonly id?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly choices?: readonly object[] | null | undefined;
  readonly usage?: object | null | undefined;
  /** In place of all the others, when the provider fails. */
  readonly error?: unknown;
}

/** What the stream of Chat Completions ends with. */
export const endMarker = "[DONE]";

/** An object whose fields are still to be looked at, as servers differ in all of them. */
export type Loose = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object inside, or the end marker. */
export function readPayload(payload: unknown): Loose | typeof endMarker {
  if (payload === endMarker) return endMarker;
  if (!isRecord(payload)) throw notAChunk(JSON.stringify(payload) ?? String(payload));
  const { data } = payload;
  return typeof data === "string" && !("choices" in payload) ? readEvent(data, payload["event"]) : payload;
}

function readEvent(data: string, event: unknown): Loose | typeof endMarker {
  if (data.trim() === endMarker) return endMarker;
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (cause) {
    if (event === "error") return { error: data };
    throw isCut(data) ? cutInside(data, cause) : notAChunk(data, cause);
  }
  if (event === "error") return isRecord(value) && "error" in value ? value : { error: value };
  if (!isRecord(value)) throw notAChunk(data);
  return value;
}

/** The start of a document, rather than no JSON at all. */
function isCut(text: string): boolean {
  const parser = new JsonParser();
  try {
    parser.write(text);
    parser.end();
  } catch (error) {
    return error instanceof JsonParseError && error.code === "unexpected_end";
  }
  return false;
}

function cutInside(data: string, cause: unknown): ModelError {
  const excerpt = excerptOf(data);
  return new ModelError("cut", `The stream was cut inside an event: ${excerpt}`, {
    excerpt,
    cause,
    retryable: true,
  });
}

function notAChunk(text: string, cause?: unknown): ModelError {
  const excerpt = excerptOf(text);
  return new ModelError("protocol", `Expected a chunk of a chat completion as JSON, but got: ${excerpt}`, {
    excerpt,
    ...(cause === undefined ? undefined : { cause }),
  });
}
