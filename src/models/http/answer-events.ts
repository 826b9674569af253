import type { JsonValue } from "../../json/value.js";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import type { Transform } from "../../stream/core/transform.js";
import { ModelError } from "../contract/errors.js";
import type { ProviderWire } from "../wire/decoder-stage.js";
import { ndjsonTransform } from "../wire/ndjson.js";
import { sseTransform } from "../wire/sse.js";
import { defaultMaxBuffer, TextReader } from "../wire/text-reader.js";
import { isTruncatedJson, truncatedItemError } from "../wire/errors.js";
import type { AnswerSource } from "./answer-body.js";
import { unexpectedAnswer } from "./post-for-stream.js";
import { parsedJson } from "../../text/json-text.js";

/**
 * Reads the events of an answer, or the document that a server without streams sends in their place. The first
 * character decides, because servers and gateways label both wrongly:
 *
 *     data: {"choices": …      server-sent events
 *     {"choices": …            a document. DeepSeek sends blank lines before it
 *     {"message": …}\n         a line of a stream, for a provider that streams lines
 *     {\n  "message": …        a document, also there: its first line is not JSON
 */
export function answerEvents(
  { lines = false, toEvents }: Pick<ProviderWire, "lines" | "toEvents">,
  source: AnswerSource,
): Operator<Uint8Array, unknown> {
  return stage((emit, stop, wait) => {
    const reader = new TextReader();
    let pieces: string[] = [];
    let length = 0;
    let isDocument = false;
    let stream: Transform<string> | undefined;

    const keep = (text: string): void => {
      pieces.push(text);
      length += text.length;
      if (length <= defaultMaxBuffer) return;
      const limit = `${defaultMaxBuffer} characters`;
      throw new ModelError(
        "max_buffer",
        `The answer of ${source.place} is a document of more than ${limit}.`,
      );
    };
    const take = (): string => {
      const text = pieces.join("");
      pieces = [];
      return text;
    };
    /** Whether the text so far begins a document. `undefined` if more of it must be seen. */
    const decide = (last: string, ended: boolean): boolean | undefined => {
      const [begun = ""] = pieces;
      if (begun === "") return ended ? false : undefined;
      if (!/^[{[]/.test(begun)) return false;
      if (!lines) return true;
      if (!ended && !last.includes("\n")) return undefined;
      const text = take();
      pieces = [text];
      const line = text.split("\n", 1)[0] ?? "";
      const value = parsedJson(line) as JsonValue | undefined;
      if (value === undefined) return true;
      if (toEvents(value) === undefined) throw unexpectedAnswer(line, "a document", source);
      return false;
    };
    const read = (piece: string, ended: boolean): void => {
      const text = length === 0 ? piece.trimStart() : piece;
      if (text !== "") keep(text);
      if (isDocument) return;
      const decision = decide(text, ended);
      isDocument = decision === true;
      if (decision !== false) return;
      stream = (lines ? ndjsonTransform() : sseTransform())(emit, stop, wait);
      stream.next(take());
    };
    return {
      next: (chunk) => {
        const text = reader.read(chunk);
        if (stream === undefined) read(text, false);
        else stream.next(text);
      },
      end: () => {
        const text = reader.end();
        if (stream === undefined) read(text, true);
        else stream.next(text);
        if (!isDocument) return stream?.end?.();
        for (const event of eventsOf(take(), toEvents, source)) emit(event);
        return undefined;
      },
    };
  });
}

function eventsOf(
  text: string,
  toEvents: ProviderWire["toEvents"],
  source: AnswerSource,
): readonly JsonValue[] {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (cause) {
    if (isTruncatedJson(text)) throw truncatedItemError("the answer", text, cause);
    throw unexpectedAnswer(text, "text", source);
  }
  const events = toEvents(value);
  if (events === undefined) throw unexpectedAnswer(text, "a document", source);
  return events;
}
