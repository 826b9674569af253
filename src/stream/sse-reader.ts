import { createParser } from "eventsource-parser";

/** One server-sent event (WHATWG HTML, section 9.2). */
export interface SseEvent {
  /** Its `data` lines, joined by line feeds. */
  readonly data: string;
  /** The value of its `event` line. A browser would say "message" where there is none. */
  readonly event?: string | undefined;
  /** The value of its own `id` line. */
  readonly id?: string | undefined;
}

/** What is told of a text of server-sent events. */
export interface SseReaderOptions {
  /** How many characters an event may have that is not whole yet. */
  readonly maxBuffer: number;
  readonly onEvent: (event: SseEvent) => void;
  /** A line that is none of server-sent events. */
  readonly onForeign?: (line: string | undefined) => void;
}

/**
 * The machine that reads server-sent events: takes the text as it comes, cut anywhere. Gives false once an event is longer
 * than `maxBuffer`: then it reads no more.
 */
export function sseReader({ maxBuffer, onEvent, onForeign }: SseReaderOptions): (text: string) => boolean {
  let overflow = false;
  const parser = createParser({
    maxBufferSize: maxBuffer,
    onEvent,
    onError: ({ type, line }) => {
      if (type === "max-buffer-size-exceeded") overflow = true;
      else if (type === "unknown-field") onForeign?.(line);
    },
  });
  return (text) => {
    if (text !== "") parser.feed(text);
    return !overflow;
  };
}
