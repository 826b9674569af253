import { GrowingText } from "../text/growing-text.js";

/** The text of the open token: what earlier chunks contained of it, and `fresh`, the part that this chunk contains. */
export class TokenText {
  fresh = "";
  private readonly earlier = new GrowingText();

  begin(read: string): void {
    this.earlier.clear();
    this.earlier.add(read);
    this.fresh = "";
  }

  /** Adds a piece to the part of earlier chunks. */
  add(piece: string): void {
    this.earlier.add(piece);
  }

  /** The chunk ends. */
  keep(): void {
    this.add(this.fresh);
    this.fresh = "";
  }

  get length(): number {
    return this.earlier.value.length + this.fresh.length;
  }

  get before(): string {
    return this.earlier.value;
  }

  get whole(): string {
    return this.earlier.value + this.fresh;
  }

  /** Returns the whole text, flattened: a rope of its pieces would take several times its size. */
  end(): string {
    const whole = this.earlier.end(this.fresh);
    this.fresh = "";
    return whole;
  }
}
