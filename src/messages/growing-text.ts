import { flatten } from "./flatten.js";

/**
 * A text that many small pieces are added to. The latest of them are put together on their own, and made one string while
 * they are few: no character is copied twice, however long the text becomes (unlike `grown`, for those who have but the text).
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

  get value(): string {
    return this.head + this.tail;
  }
}

/** In characters. */
const longest = 2_048;
