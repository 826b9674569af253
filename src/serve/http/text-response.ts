import { jsonText } from "../../text/json-text.js";
import { milliseconds } from "../../text/check-number.js";
import { stage } from "../../stream/core/stage.js";
import { type Clock, systemClock } from "../../stream/time/clock.js";
import { type BodyFrame, framed } from "./framed.js";
import { textBody } from "./text-body.js";

/** Options of every streaming response. */
export interface TextResponseOptions {
  /** Milliseconds without data after which a heartbeat is sent. 0: never. Default: 8,000. */
  readonly heartbeat?: number;
  /** Additional headers, for example for CORS. */
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  /** Default: the system clock. */
  readonly clock?: Clock;
}

/** The format of a text stream. */
export interface TextFormat extends BodyFrame {
  readonly contentType: string;
}

/** Milliseconds. Bun closes a connection after 10 idle seconds by default, other servers later. */
const defaultHeartbeat = 8_000;

/**
 * Checks the options, and returns a function that streams texts as the body of a response. Each text is pulled when the
 * client reads; disconnecting closes the source.
 */
export function textResponse(
  format: TextFormat,
  { heartbeat = defaultHeartbeat, headers: more, clock = systemClock }: TextResponseOptions,
): (texts: AsyncIterable<string>) => Response {
  milliseconds("heartbeat of the response", heartbeat);
  const headers = new Headers(more);
  headers.set("content-type", format.contentType);
  headers.set("cache-control", "no-cache, no-transform");
  headers.set("x-accel-buffering", "no"); // stops nginx from buffering the response
  headers.set("x-content-type-options", "nosniff");
  return (texts) =>
    new Response(textBody(framed(texts, format, heartbeat, clock)[Symbol.asyncIterator]()), { headers });
}

/**
 * Sends each event as a server-sent event with JSON. If the events fail, or one of them cannot be encoded, the last one
 * is `failed(error)`.
 */
export function eventResponse<Event>(
  events: AsyncIterable<Event>,
  { failed, last = () => "" }: EventFormat<Event>,
  options: TextResponseOptions,
): Response {
  const texts = stage<Event, string>((emit) => ({
    next: (event) => {
      emit(eventText(event));
    },
  }))(events);
  const format = { ...eventFormat, last, failed: (error: unknown) => eventText(failed(error)) + last() };
  return textResponse(format, options)(texts);
}

/** How a stream of events ends. */
export interface EventFormat<Event> extends Pick<TextFormat, "last"> {
  /** Returns the last event of events that fail. */
  readonly failed: (error: unknown) => Event;
}

function eventText(event: unknown): string {
  const { text, problem, cause } = jsonText(event);
  if (problem !== undefined)
    throw new TypeError(`An event cannot be written as JSON: ${problem}.`, { cause });
  return `data: ${text}\n\n`;
}

/** Server-sent events. */
export const eventFormat: Pick<TextFormat, "contentType" | "heartbeatText"> = {
  contentType: "text/event-stream; charset=utf-8",
  heartbeatText: ":\n\n",
};
