import { MillraceError } from "../errors.js";
import type { JsonValue } from "./value.js";

/**
 * - `unexpected_character`: what stands there can start or continue nothing that JSON allows at this place
 * - `invalid_number`, `invalid_literal`, `invalid_escape`, `control_character`: the same, inside a token
 * - `trailing_text`: something other than white space follows the document
 * - `unexpected_end`: the text ended inside the document; `empty`: it ended without one
 * - `max_depth`, `max_keys`, `max_length`: a bound was reached
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
  | "max_depth"
  | "max_keys"
  | "max_length"
  | "write_after_end";

/** What a `JsonParseError` knows. */
export interface JsonParseErrorDetails {
  /** Where in the whole text, in UTF-16 code units from 0, whatever the chunks were. */
  readonly offset: number;
  /** From 1. Lines end at a line feed. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  /** The innermost open value (RFC 6901). */
  readonly pointer: string;
  /** What could have stood there, in words. */
  readonly expected: string;
  /** What stood there: one character, or `undefined` at the end of the text. */
  readonly found: string | undefined;
  /** An immutable snapshot of what was known by then; `undefined` if nothing was. */
  readonly value: JsonValue | undefined;
  /** The text around the place, as far as it is still at hand, for `formatJsonError()`. */
  readonly excerpt: JsonExcerpt;
}

/** The text around an error, as far as it is still at hand. */
export interface JsonExcerpt {
  /** The part of the offending line that the last chunks hold. */
  readonly text: string;
  /** The index of the offending character in `text`. */
  readonly index: number;
  /** Whether the line goes on to the left of `text`. */
  readonly cut: boolean;
}

/** The text is not JSON, is cut, or breaks a bound. Says where, what was expected, and what was known by then. */
export class JsonParseError extends MillraceError<JsonParseErrorCode> implements JsonParseErrorDetails {
  override readonly name: string = "JsonParseError";
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
  readonly expected: string;
  readonly found: string | undefined;
  readonly value: JsonValue | undefined;
  readonly excerpt: JsonExcerpt;

  constructor(code: JsonParseErrorCode, problem: string, details: JsonParseErrorDetails) {
    const { line, column, pointer } = details;
    const within =
      pointer === "" ? "" : ` in ${pointer.length > 100 ? `${pointer.slice(0, 100)}…` : pointer}`;
    super(code, `${problem}${within} (line ${line}, column ${column}).`);
    this.offset = details.offset;
    this.line = line;
    this.column = column;
    this.pointer = pointer;
    this.expected = details.expected;
    this.found = details.found;
    this.value = details.value;
    this.excerpt = details.excerpt;
  }
}

/**
 * The error for a person to read: its message, the line, and a caret under the place. Of a long line, or where only the
 * last chunks are still known (invariant 9), it shows the part near the place.
 *
 * @example
 * ```ts
 * import { JsonParseError, JsonParser } from "millrace";
 * import { formatJsonError } from "millrace/json";
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
  const margin = String(error.line);
  const before = cut ? "…" : "";
  // A tab stays a tab under itself, so that the caret lines up whatever the terminal's tab stops are.
  const indent = (before + text.slice(0, index)).replace(/[^\t]/g, " ");
  return [
    error.message,
    `  ${margin} | ${before}${text}`,
    `  ${" ".repeat(margin.length)} | ${indent}^`,
  ].join("\n");
}
