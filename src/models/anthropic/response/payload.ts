import type { endMarker } from "../../wire/payload.js";
import type { SseEvent } from "../../wire/sse.js";

/**
 * What `decodeAnthropic` reads: a parsed event, as the official SDK's streams yield it; a server-sent event that has one
 * as its data; or an end marker, which some gateways add.
 */
export type AnthropicPayload = AnthropicEvent | SseEvent | typeof endMarker;

/** One parsed event of a Messages stream. What else it has depends on the type, and is looked at with care. */
export interface AnthropicEvent {
  readonly type: string;
}
