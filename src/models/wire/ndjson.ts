import type { JsonValue } from "../../json/value.js";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import type { CreateTransform } from "../../stream/core/transform.js";
import { isTruncatedJson, truncatedItemError } from "./errors.js";
import { checkDecodeOptions, defaultMaxBuffer, type DecodeOptions, TextReader } from "./text-reader.js";
import { excerpt } from "../../text/excerpt.js";
import { ModelError } from "../contract/errors.js";

/**
 * Decodes newline-delimited JSON from bytes or text, split at any position. All values of one read are forwarded
 * together. Skips blank lines. The last line does not need a line feed.
 *
 * @throws {TypeError} for an unknown option
 * @throws {RangeError} if `maxBuffer` is not a whole number of 1 or more
 * @throws {ModelError} `max_buffer` if a line is longer than `maxBuffer`, `protocol` if a line is not JSON, `cut` if
 *   the stream ends inside a line
 *
 * @example
 * ```ts
 * import { collect, from, pipe } from "millrace";
 * import { decodeNdjson } from "millrace/models";
 *
 * console.log(await collect(pipe(from(['{"a": 1}\n{"a"', ": 2}"]), decodeNdjson()))); // [{ a: 1 }, { a: 2 }]
 * ```
 */
export function decodeNdjson(options: DecodeOptions = {}): Operator<Uint8Array | string, JsonValue> {
  checkDecodeOptions("decodeNdjson()", options);
  return stage(ndjsonTransform(options));
}

export function ndjsonTransform({ maxBuffer = defaultMaxBuffer }: DecodeOptions = {}): CreateTransform<
  Uint8Array | string,
  JsonValue
> {
  return (emit) => {
    const reader = new TextReader();
    let lines = 0;
    /** The pieces of the current line. They are joined once, at its end. */
    let pieces: string[] = [];
    let length = 0;

    const keep = (piece: string): void => {
      if (piece === "") return;
      pieces.push(piece);
      length += piece.length;
      if (length <= maxBuffer) return;
      const problem = `Line ${lines + 1} is longer than maxBuffer, ${maxBuffer} characters.`;
      throw new ModelError("max_buffer", problem);
    };
    const endLine = (isLast = false): void => {
      const line = pieces.join("");
      pieces = [];
      length = 0;
      lines++;
      if (line.trim() !== "") emit(parseLine(line, lines, isLast));
    };
    const read = (text: string): void => {
      let start = 0;
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", start)) {
        keep(text.slice(start, at));
        endLine();
        start = at + 1;
      }
      keep(text.slice(start));
    };
    return {
      next: (chunk) => {
        read(reader.read(chunk));
      },
      end: () => {
        read(reader.end());
        endLine(true);
      },
    };
  };
}

function parseLine(line: string, number: number, isLast: boolean): JsonValue {
  try {
    return JSON.parse(line) as JsonValue;
  } catch (cause) {
    if (isLast && isTruncatedJson(line)) throw truncatedItemError(`line ${number}`, line, cause);
    const shown = excerpt(line);
    throw new ModelError("protocol", `Line ${number} is not JSON: ${shown}`, { excerpt: shown, cause });
  }
}
