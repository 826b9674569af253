import { createParser } from "eventsource-parser";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import type { CreateTransform } from "../../stream/core/transform.js";
import { checkDecodeOptions, defaultMaxBuffer, type DecodeOptions, TextReader } from "./text-reader.js";
import { ModelError } from "../contract/errors.js";
import { unexpectedError } from "./errors.js";

/** One server-sent event (WHATWG HTML, section 9.2). */
export interface SseEvent {
  /** The `data` lines, joined by line feeds. */
  readonly data: string;
  /** The value of the `event` line. Absent without such a line, where a browser would use "message". */
  readonly event?: string | undefined;
  /** The value of the `id` line of this event. */
  readonly id?: string | undefined;
}

/** The last event of Chat Completions and some other streams. */
export const endMarker = "[DONE]";

/**
 * Decodes server-sent events from bytes or text, split at any position, even inside a UTF-8 sequence or between CR and
 * LF. All events of one read are forwarded together. Ignores comments and `retry`.
 *
 * Unlike a browser, it also yields a last event without a blank line after it, because some servers omit that line. If
 * the connection was cut before its data or inside `[DONE]`, that event is dropped.
 *
 * @throws {TypeError} for an unknown option
 * @throws {RangeError} if `maxBuffer` is not a whole number of 1 or more
 * @throws {ModelError} `max_buffer` if an event is longer than `maxBuffer`; `protocol` if the stream contains no event,
 *   but lines that do not belong to server-sent events
 *
 * @example
 * ```ts
 * import { collect, from, pipe } from "millrace";
 * import { decodeSse } from "millrace/models";
 *
 * const events = await collect(pipe(from(["event: ping\r", "\ndata: 1\n\nda", "ta: 2"]), decodeSse()));
 * console.log(events.map(({ event, data }) => [event, data])); // [["ping", "1"], [undefined, "2"]]
 * ```
 */
export function decodeSse(options: DecodeOptions = {}): Operator<Uint8Array | string, SseEvent> {
  checkDecodeOptions("decodeSse()", options);
  return stage(sseTransform(options));
}

export function sseTransform({ maxBuffer = defaultMaxBuffer }: DecodeOptions = {}): CreateTransform<
  Uint8Array | string,
  SseEvent
> {
  return (emit) => {
    const reader = new TextReader();
    let events = 0;
    let unknownLine: string | undefined;
    let overflow = false;
    let ending = false;
    const parser = createParser({
      maxBufferSize: maxBuffer,
      onEvent: (event) => {
        if (ending && isCutMarker(event.data)) return;
        events++;
        emit(event);
      },
      onError: ({ type, line }) => {
        if (type === "max-buffer-size-exceeded") overflow = true;
        else if (type === "unknown-field" && !(ending && isCutField(line))) unknownLine ??= line;
      },
    });
    let sawReturn = false;
    /**
     * The same text with LF at the ends of lines. For text with CR, the parser searches all of it at each line, and
     * holds back a line whose CR is the last character.
     */
    const withLineFeeds = (text: string): string => {
      const rest = sawReturn && text.startsWith("\n") ? text.slice(1) : text;
      sawReturn = text.endsWith("\r");
      return rest.includes("\r") ? rest.replaceAll(/\r\n?/g, "\n") : rest;
    };
    const feed = (text: string): void => {
      if (text !== "") parser.feed(withLineFeeds(text));
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
        ending = true;
        feed(`${reader.end()}\n\n`);
        if (events === 0 && unknownLine !== undefined)
          throw unexpectedError("server-sent events", unknownLine);
      },
    };
  };
}

function isCutMarker(data: string): boolean {
  const text = data.trim();
  return text !== endMarker && endMarker.startsWith(text);
}

function isCutField(line = ""): boolean {
  return ["data", "event", "id", "retry"].some((field) => field.startsWith(line));
}
