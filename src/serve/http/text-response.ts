import { milliseconds } from "../../stream/numbers.js";
import { stage } from "../../stream/core/stage.js";
import { type Clock, systemClock } from "../../stream/time/clock.js";
import { bodyOf, defaultHeartbeat } from "./body.js";

/** The options of all responses. */
export interface TextResponseOptions {
  /** Milliseconds of silence after which something is sent that means nothing. 0: never. Default: 8,000. */
  readonly heartbeat?: number;
  /** More headers, such as those of CORS. */
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  /** The machine's clock, by default. */
  readonly clock?: Clock;
}

/** How the texts are sent. */
export interface TextFormat {
  readonly contentType: string;
  /** What means nothing; `""` where all means something. */
  readonly silence: string;
  /** Before the first text; as `silence`, if not given. */
  readonly start?: string;
  /** Behind the last text. */
  readonly last?: string;
  /** Hears of an error of the texts, which cuts the body: the client sees that, and no more. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Texts as the body of a response: each when the client asks for more, and closed when it leaves. */
export function textResponse(
  texts: AsyncIterable<string>,
  { contentType, silence, start = silence, last = "", onError }: TextFormat,
  { heartbeat = defaultHeartbeat, headers: more, clock = systemClock }: TextResponseOptions,
): Response {
  milliseconds("heartbeat of the response", heartbeat);
  const body = bodyOf(texts, {
    start,
    silence,
    heartbeat: silence === "" ? 0 : heartbeat,
    last,
    clock,
    onError,
  });
  const headers = new Headers(more);
  headers.set("content-type", contentType);
  headers.set("cache-control", "no-cache, no-transform");
  headers.set("x-accel-buffering", "no"); // nginx collects an answer, unless it is told
  headers.set("x-content-type-options", "nosniff");
  return new Response(body, { headers });
}

/** Each as a server-sent event with JSON; one that cannot be written ends the stream with the event that `failed` makes. */
export function eventTexts<Event>(
  events: AsyncIterable<Event>,
  failed: (error: unknown) => Event,
): AsyncIterable<string> {
  return stage<Event, string>((emit, stop) => {
    let over = false;
    return {
      next: (event) => {
        if (over) return;
        let text: string;
        try {
          text = JSON.stringify(event);
        } catch (error) {
          over = true;
          text = JSON.stringify(failed(error));
        }
        emit(`data: ${text}\n\n`);
        if (over) stop();
      },
    };
  })(events);
}

/** How server-sent events are sent. */
export const eventFormat = { contentType: "text/event-stream; charset=utf-8", silence: ":\n\n" } as const;
