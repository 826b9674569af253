import { MillraceError } from "../errors.js";
import { cut } from "../text/cut.js";
import type { JsonValue } from "./value.js";

/**
 * - `unexpected_character`: JSON does not allow this character at this place
 * - `invalid_number`, `invalid_literal`, `invalid_escape`, `control_character`: the same, inside a token
 * - `trailing_text`: there is text after the document
 * - `unexpected_end`: the text ended inside the document; `empty`: it contains no document
 * - `refusal`: the text contains no document, but reads as a refusal: "I can't help with that."
 * - `thinking`: another document follows the first one after a lone `</think>`, so the first one was reasoning; or with
 *   `openThinking`, the text ended before `</think>`
 * - `max_depth`, `max_keys`, `max_length`: a bound was exceeded
 * - `write_after_end`: `write()` was called after `end()`
 */
export type JsonParseErrorCode =
  | "unexpected_character"
  | "invalid_number"
  | "invalid_literal"
  | "invalid_escape"
  | "control_character"
  | "trailing_text"
  | "unexpected_end"
  | "empty"
  | "refusal"
  | "thinking"
  | "max_depth"
  | "max_keys"
  | "max_length"
  | "write_after_end";

/** The details of a `JsonParseError`. */
export interface JsonParseErrorDetails {
  /** The place in the whole text, in UTF-16 code units from 0. Independent of the chunks. */
  readonly offset: number;
  /** The line, from 1. Lines end at a line feed. */
  readonly line: number;
  /** The column, from 1, in UTF-16 code units. */
  readonly column: number;
  /** The JSON Pointer (RFC 6901) of the innermost open value. */
  readonly pointer: string;
  /** A description of the expected input. */
  readonly expected: string;
  /** The character at this place; `undefined` at the end of the text. */
  readonly found: string | undefined;
  /** An immutable snapshot of the value so far; `undefined` if no value has begun. */
  readonly value: JsonValue | undefined;
  /** The text around the place that is still in memory, for `formatJsonError()`. */
  readonly excerpt: JsonExcerpt;
}

/** The text around an error that is still in memory. */
export interface JsonExcerpt {
  /** The part of the line that the last chunks contain. */
  readonly text: string;
  /** The index of the character in `text`. */
  readonly index: number;
  /** Whether the line has more text before `text`. */
  readonly cut: boolean;
}

/**
 * The text is not JSON, is truncated, or exceeds a bound. Contains the place, what was expected, and the value so far.
 */
export class JsonParseError extends MillraceError<JsonParseErrorCode> implements JsonParseErrorDetails {
  override readonly name: string = "JsonParseError";
  declare readonly offset: number;
  declare readonly line: number;
  declare readonly column: number;
  declare readonly pointer: string;
  declare readonly expected: string;
  declare readonly found: string | undefined;
  declare readonly value: JsonValue | undefined;
  declare readonly excerpt: JsonExcerpt;

  constructor(code: JsonParseErrorCode, problem: string, details: JsonParseErrorDetails) {
    const { line, column, pointer } = details;
    const within = pointer === "" ? "" : ` in ${cut(pointer, 100)}`;
    super(code, `${problem}${within} (line ${line}, column ${column}).`, details);
  }
}

/**
 * Formats an error for people: the message, the line, and a caret under the place. A long line is shortened to the part
 * near the place, and so is a line of which only the last chunks are in memory (invariant 9).
 *
 * @example
 * ```ts
 * import { JsonParseError, JsonParser, formatJsonError } from "millrace/json";
 *
 * try {
 *   new JsonParser().write('{"age": 3x}');
 * } catch (error) {
 *   if (error instanceof JsonParseError) console.log(formatJsonError(error));
 * }
 * ```
 *
 * ```text prints
 * Expected "," or "}", but found "x" (line 1, column 10).
 *   1 | {"age": 3x}
 *     |          ^
 * ```
 */
export function formatJsonError(error: JsonParseError): string {
  const { text, index, cut } = error.excerpt;
  const lineNumber = String(error.line);
  const before = cut ? "…" : "";
  // A tab is kept as a tab, so the caret lines up with any tab stops of the terminal.
  const indent = (before + text.slice(0, index)).replace(/[^\t]/g, " ");
  return [
    error.message,
    `  ${lineNumber} | ${before}${text}`,
    `  ${" ".repeat(lineNumber.length)} | ${indent}^`,
  ].join("\n");
}
