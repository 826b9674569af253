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
  /** The repair, with the text to read instead. */
  readonly repair?: FoundRepair;
}

export interface FoundRepair {
  readonly kind: FoundRepairKind;
  readonly text: string;
  /** The number of characters that were added at the start. Default: 0. */
  readonly added?: number;
}

/** The repairs of the start of a document, or of one that is the whole text. */
export type FoundRepairKind =
  | "call"
  | "literal"
  | "missing_brackets"
  | "missing_opening"
  | "number"
  | "parentheses"
  | "set"
  | "trailing_comma";
