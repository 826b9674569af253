/** Where in the whole text the first character is that has not been read. */
export class Position {
  offset = 0;
  private line = 1;
  private lineStart = 0;
  private text = "";
  /** How much of the text has been read. */
  private read = 0;

  /** This text stands there. */
  enter(text: string): void {
    this.text = text;
    this.read = 0;
  }

  /** So much of it has been read. */
  advance(count: number): void {
    const { line, column } = this.at(this.offset + count);
    this.line = line;
    this.offset += count;
    this.lineStart = this.offset - column + 1;
    this.read += count;
  }

  /** @param offset a place in the text that is being read, or its end */
  at(offset: number): { readonly offset: number; readonly line: number; readonly column: number } {
    const { text } = this;
    let { line, lineStart } = this;
    const start = this.offset - this.read;
    for (let i = text.indexOf("\n", this.read); i >= 0 && start + i < offset; i = text.indexOf("\n", i + 1)) {
      line++;
      lineStart = start + i + 1;
    }
    return { offset, line, column: offset - lineStart + 1 };
  }
}
