import type { endMarker } from "../../wire/payload.js";
import type { SseEvent } from "../../wire/sse.js";

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
