import { flatten } from "./flatten.js";

/**
 * A text that many small pieces are added to. The latest of them are put together on their own, and made one string while
 * they are few: each character is copied once, however long the text becomes, and once more when somebody reads the whole.
 * Use `appendText()` where only the text can be kept.
 */
export class GrowingText {
  private head: string;
  private tail = "";

  constructor(text = "") {
    this.head = text;
  }

  add(piece: string): void {
    this.tail += piece;
    if (this.tail.length < longest) return;
    flatten(this.tail);
    this.head += this.tail;
    this.tail = "";
  }

  /** The text, which ends with this piece, and made one string where it is short. What is added next begins another. */
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

/** In characters. */
const longest = 2_048;
