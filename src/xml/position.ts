/** The place in the whole text of the first character that was not read, with its line and column. */
export class XmlPosition {
  offset = 0;
  private line = 1;
  private lineStart = 0;
  private text = "";
  /** How many characters of the text were read. */
  private read = 0;

  /** Sets the text that begins at this place. */
  enter(text: string): void {
    this.text = text;
    this.read = 0;
  }

  /** Moves on by this many characters. */
  advance(count: number): void {
    const { line, column } = this.at(this.offset + count);
    this.line = line;
    this.offset += count;
    this.lineStart = this.offset - column + 1;
    this.read += count;
  }

  /** @param offset a place in the current text, or its end */
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
