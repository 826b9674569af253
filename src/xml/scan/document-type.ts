/**
 * Finds the end of a document type, starting after its `<!DOCTYPE`. Declarations are not read: nothing is loaded, and no
 * entity is expanded. A `>` in quotes, comments and instructions, or between brackets, does not end it.
 */
export class DocumentType {
  private inSubset = false;
  /** The end of the open quote, comment or instruction. Empty outside of these. */
  private until = "";
  /** The characters read last, as far as they can begin `<!--`, `<?` or `until`. */
  private recent = "";

  /** @returns the offset after the end, or -1 if the text ends before it */
  read(text: string, start: number): number {
    for (let i = start; i < text.length; i++) {
      const character = text.charAt(i);
      if (this.until !== "") this.readEnclosed(character);
      else if (this.recent !== "") this.readOpening(character);
      else if (character === '"' || character === "'") this.until = character;
      else if (this.inSubset) {
        if (character === "]") this.inSubset = false;
        else if (character === "<") this.recent = character;
      } else if (character === "[") this.inSubset = true;
      else if (character === ">") return i + 1;
    }
    return -1;
  }

  private readEnclosed(character: string): void {
    const { until } = this;
    this.recent = (this.recent + character).slice(-until.length);
    if (this.recent !== until) return;
    this.recent = "";
    // saxes ends an instruction at the first ">" after a "?", wherever that is.
    this.until = until === "?" ? ">" : "";
  }

  /** After a `<`. */
  private readOpening(character: string): void {
    const opening = this.recent + character;
    this.recent = opening === "<!" || opening === "<!-" ? opening : "";
    if (opening === "<!--") this.until = "-->";
    else if (opening === "<?") this.until = "?";
  }
}
