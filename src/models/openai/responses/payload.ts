import type { endMarker } from "../../wire/payload.js";
import type { SseEvent } from "../../wire/sse.js";

/**
 * What `decodeOpenAIResponses` reads: a parsed event of the Responses API, as the official SDK's stream yields it; a
 * server-sent event that has one as its data; or the end marker, which some servers add.
 */
export type OpenAIResponsesPayload = OpenAIResponsesEvent | SseEvent | typeof endMarker;

/** One parsed event of a stream of the Responses API: its type says what else it has. */
export interface OpenAIResponsesEvent {
  readonly type: string;
}
