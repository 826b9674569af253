/**
 * A text that counts how many of its characters are read, to measure a scanner without a clock. It counts the methods
 * of a string and `RegExp.test()`. Characters that are copied by `slice()` count as read. as seen.
 */
export class CountingText extends String {
  looks = 0;
  readonly text: string;

  constructor(text: string) {
    super(text);
    this.text = text;
  }

  override charCodeAt(index: number): number {
    this.look(index);
    return this.text.charCodeAt(index);
  }

  override charAt(index: number): string {
    this.look(index);
    return this.text.charAt(index);
  }

  override codePointAt(index: number): number | undefined {
    this.look(index);
    return this.text.codePointAt(index);
  }

  override indexOf(searched: string, from = 0): number {
    const found = this.text.indexOf(searched, from);
    this.looks += (found < 0 ? this.text.length : found + searched.length) - from;
    return found;
  }

  override lastIndexOf(searched: string): number {
    const found = this.text.lastIndexOf(searched);
    this.looks += this.text.length - Math.max(found, 0);
    return found;
  }

  override startsWith(searched: string, from = 0): boolean {
    this.looks += searched.length;
    return this.text.startsWith(searched, from);
  }

  override slice(start?: number, end?: number): string {
    const cut = this.text.slice(start, end);
    this.looks += cut.length;
    return cut;
  }

  /** Code that converts it to a string may read all of it. */
  override toString(): string {
    this.looks += this.text.length;
    return this.text;
  }

  private look(index: number): void {
    if (index < this.text.length) this.looks++;
  }
}

// A regular expression converts its text to a string first, so it must report how far it has read.
// eslint-disable-next-line @typescript-eslint/unbound-method -- bound by call()
const { test } = RegExp.prototype;
RegExp.prototype.test = function (text: unknown): boolean {
  if (!(text instanceof CountingText)) return test.call(this, text as string);
  const from = this.sticky ? this.lastIndex : 0;
  const matches = test.call(this, text.text);
  text.looks += (this.sticky && matches ? Math.min(this.lastIndex + 1, text.length) : text.length) - from;
  return matches;
};
