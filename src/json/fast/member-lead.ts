/**
 * What leads to the value of a member: its key, and the white space around it, which models write alike each time. Once it
 * has been read often enough it becomes a regular expression, which takes a string that follows, too: the engine makes
 * machine code of that, which reads a long chunk twice as fast as loops over its characters do.
 */
export class MemberLead {
  readonly length: number;
  /** Where in it the key begins, and where lines end. */
  keyAt = 0;
  lineFeeds: readonly number[] = [];
  private readonly key: string;
  private times = 0;
  private pattern: RegExp | undefined;

  constructor(key: string, length: number) {
    this.key = `"${key}"`;
    this.length = length;
  }

  /**
   * It was read once more. Gives whether it can be matched now.
   *
   * @param start where it began
   * @param afterString what must follow a quote for it to end a string for certain: a part of a regular expression
   */
  learn(text: string, start: number, afterString: string): boolean {
    if (++this.times === OFTEN) this.compile(text.slice(start, start + this.length), afterString);
    return this.pattern !== undefined;
  }

  /**
   * Where it ends, and the string that follows, if one does: behind its quote if that certainly ends it, else before the
   * first character that does not stand for itself. The start, if something else stands there.
   */
  match(text: string, start: number): number {
    const pattern = this.pattern as RegExp;
    pattern.lastIndex = start;
    return pattern.test(text) ? pattern.lastIndex : start;
  }

  private compile(text: string, afterString: string): void {
    const { key } = this;
    // Repair takes more than white space around a key, and reports it each time.
    if (!/^[ \t\r\n]*:[ \t\r\n]*$/.test(text.replace(key, ""))) return;
    this.keyAt = text.indexOf(key);
    this.lineFeeds = Array.from(text.matchAll(/\n/g), ({ index }) => index);
    const literally = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    this.pattern = new RegExp(`${literally}(?:"[^"\\\\\\u0000-\\u001f]*(?:"${afterString})?)?`, "y");
  }
}

/** The engine takes as long for its machine code as is gained in 200 to 300 members. */
const OFTEN = 100;
