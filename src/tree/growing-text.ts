import { flatten } from "./flatten.js";

/**
 * A text built from many small pieces. The latest pieces are joined and flattened separately, so each character is
 * copied once, and once more when the whole text is read. Use `appendText()` where only the text can be kept.
 */
export class GrowingText {
  private head: string;
  private tail = "";

  constructor(text = "") {
    this.head = text;
  }

  add(piece: string): void {
    this.tail += piece;
    if (this.tail.length < longestPiece) return;
    flatten(this.tail);
    this.head += this.tail;
    this.tail = "";
  }

  /** Returns the text with this last piece, flattened if it is short. Then starts a new text. */
  end(piece: string): string {
    const last = this.tail + piece;
    flatten(last);
    const text = this.head + last;
    this.head = "";
    this.tail = "";
    return text;
  }

  get value(): string {
    return this.head + this.tail;
  }
}

/** The length, in characters, from which on the latest pieces are joined. */
export const longestPiece = 2_048;
