/** Where in the whole text the first character is that has not been read. */
export class Position {
  offset = 0;
  private line = 1;
  private lineStart = 0;
  private text = "";

  /** This text stands there. */
  enter(text: string): void {
    this.text = text;
  }

  /** So much of it has been read. */
  advance(count: number): void {
    const { text } = this;
    for (let i = text.indexOf("\n"); i >= 0 && i < count; i = text.indexOf("\n", i + 1)) {
      this.line++;
      this.lineStart = this.offset + i + 1;
    }
    this.offset += count;
    this.text = text.slice(count);
  }

  /** @param offset a place in the text that is being read, or its end */
  at(offset: number): { readonly offset: number; readonly line: number; readonly column: number } {
    let { line, lineStart } = this;
    const end = offset - this.offset;
    for (let i = this.text.indexOf("\n"); i >= 0 && i < end; i = this.text.indexOf("\n", i + 1)) {
      line++;
      lineStart = this.offset + i + 1;
    }
    return { offset, line, column: offset - lineStart + 1 };
  }
}
