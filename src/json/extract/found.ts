/** The place where a document begins. */
export interface Found {
  /**
   * The text from the first character of the document on: the part held back of earlier chunks, and the rest of this
   * one.
   */
  readonly text: string;
  /** The place of that character in the whole text, in UTF-16 code units from 0. */
  readonly offset: number;
  /** Its line, from 1. Lines end at a line feed. */
  readonly line: number;
  /** The offset of the first character of that line. */
  readonly lineStart: number;
  /** Whether the document must be the whole text, because it does not look like one. */
  readonly whole?: boolean;
  /** What was repaired, and the text to read instead. */
  readonly repair?: { readonly kind: WholeTextRepair; readonly text: string };
}

/** The repairs of a document that is the whole text. */
export type WholeTextRepair =
  "call" | "literal" | "missing_brackets" | "number" | "parentheses" | "set" | "trailing_comma";
