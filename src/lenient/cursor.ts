import { rewind } from "../json/scan/move-position.js";
import type { Position } from "../json/scan/position.js";

/** Returned by a reader instead of the next index: more text decides. See `TextCursor.hold()`. */
export const HOLD = -1;
/** Returned by a reader instead of the next index: the scan begins again in `TextCursor.text`. */
export const AGAIN = -2;
/** Returned by a reader instead of the next index: no repair is certain. See `TextCursor.reject()`. */
export const FAILS = -3;

/**
 * The text that is not decided yet, held back and read again. It is the one place that does this.
 *
 * A reader returns the index where the scan continues. Where the text after that may change its meaning, it returns
 * `hold(i)`. From `i` on the text is read again, together with the next chunk. At the end of the text nothing is held.
 * So each decision sees the same text, whatever the chunks are.
 *
 * `{"a": "b" ` and then `c"}`: the reader of strings holds at the second quote of `"b" `, and reads `" c"}` again.
 *
 * Nearly always a token ends where it seems to end. So where the text continues as JSON mostly does, it is held with
 * `holdEnd()`, and the next chunk is compared with that first. If it continues in the same way, nothing is read again.
 */
export class TextCursor {
  readonly position: Position;
  /** The cursor holds at most so many characters. */
  readonly lookAhead: number;
  /** Has the text ended, so that everything is decided? */
  ended = false;
  /** Has it ended too early, so that what is missing is not repaired? */
  truncated = false;
  /** The number of characters so far. Text that is read again counts again. */
  received = 0;
  held = "";
  /** Does the open token end where the held text begins, if that continues as it has begun? */
  atEnd = false;
  /** Is there a comma after that token? */
  sawComma = false;
  /** The text to read after `AGAIN`. */
  text = "";
  /** The index for `HOLD` or `FAILS`. */
  from = 0;

  constructor(position: Position, lookAhead: number) {
    this.position = position;
    this.lookAhead = lookAhead;
  }

  hold(i: number): typeof HOLD {
    this.from = i;
    return HOLD;
  }

  holdEnd(i: number, sawComma: boolean): typeof HOLD {
    this.from = i;
    this.atEnd = true;
    this.sawComma = sawComma;
    return HOLD;
  }

  /** The character at this index is an error. */
  reject(i: number): typeof FAILS {
    this.from = i;
    return FAILS;
  }

  /** May a decision wait for more text, after so many characters? */
  mayWait(count: number): boolean {
    return !this.ended && count < this.lookAhead;
  }

  /** Keeps the rest of the chunk after `HOLD`. */
  keep(text: string): void {
    this.held = text.slice(this.from);
  }

  /** Returns the held text with the next chunk, which read it again. */
  resume(text: string): string {
    const { held } = this;
    this.release();
    if (held === "") return text;
    rewind(this.position, held);
    return held + text;
  }

  /** The held text is read. */
  release(): void {
    this.held = "";
    this.atEnd = false;
  }

  /** Reads text of earlier chunks again, and then this one. */
  again(earlier: string, text: string): typeof AGAIN {
    rewind(this.position, earlier);
    this.text = earlier + text;
    this.received += this.text.length;
    return AGAIN;
  }

  offset(i: number): number {
    return this.position.offset + i;
  }
}
