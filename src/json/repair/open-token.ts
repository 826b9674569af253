import { flatten, longestPiece } from "../../text/growing-text.js";

/** The token that is being read. The scanner extends it, because each object more takes memory in each open stream. */
export class OpenToken {
  /** The part that earlier chunks contained. A long string begins in `head`. */
  protected token = "";
  private head = "";
  /** The part that this chunk contains. */
  protected fresh = "";
  protected inKey = false;

  /** Adds a piece to the open string, as a `GrowingText` does. */
  protected addPiece(piece: string): void {
    this.token += piece;
    if (this.token.length < longestPiece) return;
    flatten(this.token);
    this.head += this.token;
    this.token = "";
  }

  /** The open string without the part that this chunk contains. */
  protected get textBefore(): string {
    return this.head + this.token;
  }

  /** The open string so far. */
  protected get textSoFar(): string {
    return this.head + this.token + this.fresh;
  }

  /**
   * Returns the complete token. Its last part is flattened: a concatenated string keeps its pieces in memory, several
   * times its size.
   */
  protected wholeToken(): string {
    const last = this.token + this.fresh;
    flatten(last);
    const whole = this.head + last;
    this.head = "";
    this.token = "";
    return whole;
  }
}
