/** The first character after a bracket of data: that of a key, of a value, or another bracket. */
const inData = /["'{}[\]\d]/;

/** The open brackets of data. What is in them is a part of the data, up to a blank line. */
export class OpenData {
  private depth = 0;
  /** Whether a bracket is the last character. What follows decides whether it is one of data. */
  private isPending = false;
  private inString = false;
  private isEscaped = false;
  /** Whether the answer begins with it. */
  private isOwn = false;

  get isOpen(): boolean {
    return this.depth > 0;
  }

  /** Whether a string is open in an object that is the answer. Lines may break in it. */
  get inAnswer(): boolean {
    return this.isOpen && this.isOwn && this.inString;
  }

  /** Whether only a bracket, a quote or a back slash changes this. */
  get isIdle(): boolean {
    return !this.isPending && !this.inString && !this.isEscaped;
  }

  /** Whether a value that begins with this character is a part of the data. */
  has(char: string): boolean {
    return this.depth > 0 || (this.isPending && inData.test(char));
  }

  reset(): void {
    this.depth = 0;
    this.isPending = this.inString = this.isEscaped = false;
  }

  /**
   * @param isBlank whether the line has no other text yet
   * @param isFirst whether the answer has no other text yet
   */
  read(char: string, isBlank: boolean, isFirst: boolean): void {
    if (!this.isOpen && !this.isPending) this.isOwn = isFirst && char === "{";
    if (char === "\n" && this.inAnswer) this.isEscaped = false;
    else if (char === "\n") {
      if (isBlank) this.reset();
      this.inString = this.isEscaped = false;
    } else if (this.isEscaped) this.isEscaped = false;
    else if (char === "\\") this.isEscaped = this.inString;
    else if (this.inString) this.inString = char !== '"';
    else if (char.trim() !== "") this.readToken(char);
  }

  private readToken(char: string): void {
    if (this.isPending && inData.test(char)) this.depth++;
    this.isPending = char === "{" || char === "[";
    if (char === '"') this.inString = this.isOpen;
    else if ((char === "}" || char === "]") && this.isOpen) this.depth--;
  }
}
