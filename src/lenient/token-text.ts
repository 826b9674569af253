import { flatten, longestPiece } from "../text/growing-text.js";

/** The text of the open token: what earlier chunks contained of it, and `fresh`, the part that this chunk contains. */
export class TokenText {
  fresh = "";
  private head = "";
  private tail = "";

  begin(read: string): void {
    this.head = "";
    this.tail = read;
    this.fresh = "";
  }

  /** Adds a piece to the part of earlier chunks, as a `GrowingText` does. */
  add(piece: string): void {
    this.tail += piece;
    if (this.tail.length < longestPiece) return;
    flatten(this.tail);
    this.head += this.tail;
    this.tail = "";
  }

  /** The chunk ends. */
  keep(): void {
    this.add(this.fresh);
    this.fresh = "";
  }

  get length(): number {
    return this.head.length + this.tail.length + this.fresh.length;
  }

  get before(): string {
    return this.head + this.tail;
  }

  get whole(): string {
    return this.head + this.tail + this.fresh;
  }

  /** Returns the whole text, flattened: a rope of its pieces would take several times its size. */
  end(): string {
    const last = this.tail + this.fresh;
    flatten(last);
    const whole = this.head + last;
    this.begin("");
    return whole;
  }
}
