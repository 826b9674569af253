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
    this.clear();
    return text;
  }

  clear(): void {
    this.head = "";
    this.tail = "";
  }

  get value(): string {
    return this.head + this.tail;
  }
}

/** The length, in characters, from which on the latest pieces are joined. */
const longestPiece = 2_048;

/**
 * Appends to a text and flattens the result each time its length has grown by a third to a half. Each character is
 * copied about four times, and the rope of pieces holds at most the last third. `GrowingText` copies less where the
 * caller can keep an object.
 */
export function appendText(text: string, suffix: string): string {
  const whole = text + suffix;
  const { length } = whole;
  if (length < shortest || suffix.length > longest) return whole;
  // True when one of the two highest bits of the length has changed.
  if ((text.length ^ length) >>> (30 - Math.clz32(length)) !== 0) flatten(whole);
  return whole;
}

/** Below this length, a rope is cheaper than copying. */
const shortest = 16_384;
/** Pieces longer than this never form a long rope. */
const longest = 256;

/**
 * Flattens a concatenated text. The engine keeps such a text as a rope of its pieces, many times its size, which each
 * garbage collection traverses until a character of it is read.
 */
function flatten(text: string): void {
  read.last = text.charCodeAt(0);
}

/** Unused, but the compiler cannot know that. */
const read = { last: 0 };
