import { MillraceError } from "../errors.js";
import { cut } from "../text/cut.js";
import type { XmlObject } from "./value.js";

/**
 * - `mismatched_tag`: an end tag closes another element than the innermost open one, or none
 * - `invalid_reference`: a `&` that begins none of XML's own references. Entities of a document type are never expanded
 * - `invalid_attribute`: an attribute that has no value, no quotes, or came before
 * - `unbound_prefix`: a prefix that no namespace is bound to (only with `namespaces`)
 * - `text_outside_root`: text before or after the document; `extra_root`: a second root element
 * - `not_well_formed`: anything else that XML does not allow; the message says what
 * - `unexpected_end`: the text ended inside the document; `empty`: it ended without one
 * - `max_depth`, `max_tag_length`, `max_length`: a bound was reached
 * - `max_work`: increments of a document that is deep and wide at once, whose paths would take too much work
 * - `write_after_end`: `write()` was called after `end()`
 */
export type XmlParseErrorCode =
  | "mismatched_tag"
  | "invalid_reference"
  | "invalid_attribute"
  | "unbound_prefix"
  | "text_outside_root"
  | "extra_root"
  | "not_well_formed"
  | "unexpected_end"
  | "empty"
  | "max_depth"
  | "max_tag_length"
  | "max_length"
  | "max_work"
  | "write_after_end";

/** The fields of an `XmlParseError`. */
export interface XmlParseErrorDetails {
  /** Where in the whole text, in UTF-16 code units from 0, whatever the chunks were. */
  readonly offset: number;
  /** From 1. Lines end at a line feed. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  /** The names of the open elements, from the root inwards. */
  readonly path: readonly string[];
  /** A description of the expected input. */
  readonly expected: string;
  /** An immutable snapshot of what was known by then; `undefined` if nothing was. */
  readonly value: XmlObject | undefined;
}

/** The text is not XML, is cut, or breaks a bound. Says where, what was expected, and what was known by then. */
export class XmlParseError extends MillraceError<XmlParseErrorCode> implements XmlParseErrorDetails {
  override readonly name: string = "XmlParseError";
  declare readonly offset: number;
  declare readonly line: number;
  declare readonly column: number;
  declare readonly path: readonly string[];
  declare readonly expected: string;
  declare readonly value: XmlObject | undefined;

  constructor(code: XmlParseErrorCode, problem: string, details: XmlParseErrorDetails) {
    const { line, column, path } = details;
    const names = path.slice(-5).map((name) => cut(name, 40));
    const within = path.length === 0 ? "" : ` in ${path.length > 5 ? "…/" : ""}${names.join("/")}`;
    super(code, `${problem}${within} (line ${line}, column ${column}).`, details);
  }
}
