/** Matches members with the same key, which share all the text before their values. */
export class MemberPattern {
  /** The number of characters before the value. */
  readonly beforeValue: number;
  /** Where the lines before the value end. */
  readonly lineFeeds: readonly number[];
  private readonly pattern: RegExp;

  private constructor(text: string, afterString: string) {
    this.beforeValue = text.length;
    this.lineFeeds = Array.from(text.matchAll(/\n/g), ({ index }) => index);
    const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    this.pattern = new RegExp(`${literal}(?:"[^"\\\\\\u0000-\\u001f]*"${afterString})?`, "y");
  }

  /** The pattern of the member at this place; `undefined` if it has another key. */
  static of(text: string, start: number, key: string, afterString: string): MemberPattern | undefined {
    const quote = text.indexOf('"', start);
    if (!text.startsWith(`"${key}"`, quote)) return undefined;
    const around = `${text.slice(start, quote)}${text.slice(quote + key.length + 2, quote + maxSearched)}`;
    // With `repair`, a string on the line after a colon may be the next key, so that is left to the scanner.
    const blank = /^[ \t\r\n]*:[ \t]*(?=[^ \t\r\n])/.exec(around)?.[0];
    if (blank === undefined) return undefined;
    return new MemberPattern(text.slice(start, start + blank.length + key.length + 2), afterString);
  }

  /** Returns the index after the member, or after its colon and white space; `start` if the member is another one. */
  match(text: string, start: number): number {
    const { pattern } = this;
    pattern.lastIndex = start;
    return pattern.test(text) ? pattern.lastIndex : start;
  }
}

/** How much text after the opening quote of the key is searched for the value. */
const maxSearched = 200;
