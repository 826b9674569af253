import type { endMarker, SseEvent } from "../../wire/sse.js";

/**
 * The input of `decodeAnthropic`: a parsed event, as the official SDK yields it; a server-sent event that contains one;
 * or an end marker, which some gateways add.
 */
export type AnthropicPayload = AnthropicEvent | SseEvent | typeof endMarker;

/** A parsed event of a Messages stream. The other fields depend on the type and are checked before use. */
export interface AnthropicEvent {
  readonly type: string;
}
