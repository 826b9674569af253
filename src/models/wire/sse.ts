import { createParser } from "eventsource-parser";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import { defaultMaxBuffer, type DecodeOptions, TextReader } from "./text-reader.js";
import { shortExcerpt, ModelError } from "../contract/errors.js";

/** One server-sent event (WHATWG HTML, section 9.2). */
export interface SseEvent {
  /** Its `data` lines, joined by line feeds. */
  readonly data: string;
  /** The value of its `event` line. A browser would say "message" where there is none. */
  readonly event?: string | undefined;
  /** The value of its own `id` line. */
  readonly id?: string | undefined;
}

/**
 * Server-sent events out of bytes or text, cut anywhere: inside a UTF-8 sequence, between CR and LF. All events of one
 * read are handed on together. Comments and `retry` are dropped.
 *
 * Other than a browser, it delivers an event that the end of the stream cuts off before its blank line: servers forget
 * it after the last one.
 *
 * @throws {ModelError} `max_buffer` if an event is longer than `maxBuffer`; `protocol` if the stream has ended without
 *   an event, but with lines that are none of server-sent events
 *
 * @example
 * ```ts
 * import { collect, decodeSse, from, pipe } from "millrace";
 *
 * const events = await collect(pipe(from(["event: ping\r", "\ndata: 1\n\nda", "ta: 2"]), decodeSse()));
 * console.log(events.map(({ event, data }) => [event, data])); // [["ping", "1"], [undefined, "2"]]
 * ```
 */
export function decodeSse(options: DecodeOptions = {}): Operator<Uint8Array | string, SseEvent> {
  const { maxBuffer = defaultMaxBuffer } = options;
  return stage((emit) => {
    const reader = new TextReader();
    let events = 0;
    let foreign: string | undefined;
    let overflow = false;
    const parser = createParser({
      maxBufferSize: maxBuffer,
      onEvent: (event) => {
        events++;
        emit(event);
      },
      onError: ({ type, line }) => {
        if (type === "max-buffer-size-exceeded") overflow = true;
        else if (type === "unknown-field") foreign ??= line;
      },
    });
    const feed = (text: string): void => {
      if (text !== "") parser.feed(text);
      if (overflow) {
        throw new ModelError(
          "max_buffer",
          `A server-sent event is longer than maxBuffer, ${maxBuffer} characters. ${events} events came before it.`,
        );
      }
    };
    return {
      next: (chunk) => {
        feed(reader.read(chunk));
      },
      end: () => {
        feed(`${reader.end()}\n\n`);
        if (events > 0 || foreign === undefined) return;
        const excerpt = shortExcerpt(foreign);
        throw new ModelError("protocol", `Expected server-sent events, but got: ${excerpt}`, { excerpt });
      },
    };
  });
}
