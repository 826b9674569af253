import { JsonParseError, type JsonParseErrorCode, type JsonParseErrorDetails } from "../errors.js";
import { excerptOf } from "../excerpt.js";
import type { Found } from "../extract/found.js";

/** Where in the whole text the scanner is, and enough of the last chunks to show that place to a person. */
export class Position {
  /** How many characters came before the chunk that is being read. */
  offset = 0;
  private line = 1;
  private lineStart = 0;
  private text = "";
  private readonly recent: string[] = new Array<string>(CHUNKS).fill("");
  private chunks = 0;
  private skipped: Skipped | undefined;

  /** A chunk begins. */
  enter(text: string): void {
    this.text = text;
    this.recent[this.chunks++ % CHUNKS] = text;
  }

  /** The chunk has been read. */
  leave(): void {
    this.offset += this.text.length;
    this.text = "";
  }

  /** A line feed stands at this place of the chunk. */
  newLine(i: number): void {
    if (this.skipped !== undefined) this.countSkipped();
    this.line++;
    this.lineStart = this.offset + i + 1;
  }

  /** A part of the chunk was read without looking for line feeds. */
  newLines(text: string, start: number, end: number): void {
    for (let i = text.indexOf("\n", start); i >= 0 && i < end; i = text.indexOf("\n", i + 1)) this.newLine(i);
  }

  /** The same of the document's last part, after which hardly anything comes: counted if something does. */
  skip(start: number, end: number): void {
    this.skipped = { text: this.text, start, end, offset: this.offset };
  }

  private countSkipped(): void {
    const { text, start, end, offset } = this.skipped as Skipped;
    const now = this.offset;
    this.skipped = undefined;
    this.offset = offset;
    this.newLines(text, start, end);
    this.offset = now;
  }

  /** The document begins there, with this text: what came before it is of no interest. */
  startAt({ text, offset, line, lineStart }: Found): void {
    this.recent.fill("");
    this.enter(text);
    this.offset = offset;
    this.line = line;
    this.lineStart = lineStart;
  }

  /** The character at a place of the chunk, or `undefined` at its end. */
  found(i: number): string | undefined {
    const codePoint = this.text.codePointAt(i);
    return codePoint === undefined ? undefined : String.fromCodePoint(codePoint);
  }

  /** @param i the place in the chunk */
  error(code: JsonParseErrorCode, problem: string, i: number, known: Known): JsonParseError {
    if (this.skipped !== undefined) this.countSkipped();
    const next = this.chunks % CHUNKS;
    const text = [...this.recent.slice(next), ...this.recent.slice(0, next)].join("");
    const index = text.length - this.text.length + i;
    const offset = this.offset + i;
    return new JsonParseError(code, problem, {
      ...known,
      offset,
      line: this.line,
      column: offset - this.lineStart + 1,
      found: this.found(i),
      excerpt: excerptOf(text, index, index - (offset - this.lineStart)),
    });
  }
}

interface Skipped {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly offset: number;
}

type Known = Pick<JsonParseErrorDetails, "pointer" | "expected" | "value">;

/** Models send a token a chunk: so many of them show what stands before an error. */
const CHUNKS = 16;
