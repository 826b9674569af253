/** A place in the whole text. */
export interface XmlPlace {
  /** In UTF-16 code units from 0. */
  readonly offset: number;
  /** From 1. Lines end at a line feed. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** Counts the lines of a text that comes in pieces. Offsets only grow. */
export class XmlPosition {
  private text = "";
  /** The offset of `text` in the whole text. */
  private start = 0;
  private line = 1;
  private lineStart = 0;
  /** The offset of the next line feed. Infinity if the text has none. */
  private next = Infinity;

  /** @param offset of the text in the whole text: at most the end of the text before it */
  enter(text: string, offset: number): void {
    this.at(offset);
    const end = this.start + this.text.length;
    this.text = text;
    this.start = offset;
    if (this.next === Infinity) this.next = this.find(end);
  }

  /** @param offset a place in the text or at its end, not before the last one */
  at(offset: number): XmlPlace {
    while (this.next < offset) {
      this.line++;
      this.lineStart = this.next + 1;
      this.next = this.find(this.lineStart);
    }
    return { offset, line: this.line, column: offset - this.lineStart + 1 };
  }

  private find(offset: number): number {
    const at = this.text.indexOf("\n", offset - this.start);
    return at < 0 ? Infinity : this.start + at;
  }
}
