/** Where a document begins in a text. */
export interface Found {
  /** The document from its first character on: what was held back of earlier chunks, and all that follows in this one. */
  readonly text: string;
  /** Where that first character stands in the whole text, in UTF-16 code units from 0. */
  readonly offset: number;
  /** Its line, from 1. Lines end at a line feed. */
  readonly line: number;
  /** The offset of the first character of that line. */
  readonly lineStart: number;
}
