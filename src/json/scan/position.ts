import {
  type JsonExcerpt,
  JsonParseError,
  type JsonParseErrorCode,
  type JsonParseErrorDetails,
} from "../errors.js";
import type { Found } from "../extraction.js";

/** The place of the scanner in the whole text, and the last chunks, for error messages. */
export class Position {
  /** The number of characters before the current chunk. */
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

  /** The chunk ends. */
  leave(): void {
    this.offset += this.text.length;
    this.text = "";
  }

  /** Reads the last characters of earlier chunks again, together with the current chunk. */
  rewind(read: string): void {
    let rest = read.length;
    for (let chunk = this.chunks - 2; rest > 0 && chunk >= Math.max(0, this.chunks - CHUNKS); chunk--) {
      const text = this.recent[chunk % CHUNKS] as string;
      this.recent[chunk % CHUNKS] = text.slice(0, Math.max(0, text.length - rest));
      rest -= text.length;
    }
    this.offset -= read.length;
    this.text = read + this.text;
    this.recent[(this.chunks - 1) % CHUNKS] = this.text;
  }

  /**
   * The rest of the current chunk, so many characters or all of it, is read in parts. Each calls `enter()` and
   * `leave()`.
   */
  divide(rest: number = this.text.length): void {
    this.offset += this.text.length - rest;
    this.text = "";
    this.recent[(this.chunks - 1) % CHUNKS] = "";
  }

  /** The chunk continues with text that is not read, but that an error may show. */
  extend(text: string): void {
    this.text += text;
    this.recent[(this.chunks - 1) % CHUNKS] = this.text;
  }

  /** There is a line feed at this place of the chunk. */
  newLine(i: number): void {
    if (this.skipped !== undefined) this.countSkipped();
    this.line++;
    this.lineStart = this.offset + i + 1;
  }

  /** A part of the chunk was read without counting its line feeds. `shift`: where the text begins in the chunk. */
  newLines(text: string, start: number, end: number, shift = 0): void {
    for (let i = text.indexOf("\n", start); i >= 0 && i < end; i = text.indexOf("\n", i + 1)) {
      this.newLine(i + shift);
    }
  }

  /** Like `newLines()`, but counts only if a later place is requested. Used for the last part of the document. */
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

  /** The document begins with this text. Drops the text before it. */
  startAt({ text, offset, line, lineStart }: Found): void {
    this.recent.fill("");
    this.enter(text);
    this.offset = offset;
    this.line = line;
    this.lineStart = lineStart;
  }

  /** The character at a place of the chunk; `undefined` at its end. */
  found(i: number): string | undefined {
    const codePoint = this.text.codePointAt(i);
    return codePoint === undefined ? undefined : String.fromCodePoint(codePoint);
  }

  /** The line that is being read, and the offset of its first character. */
  get lineSoFar(): { readonly line: number; readonly lineStart: number } {
    if (this.skipped !== undefined) this.countSkipped();
    return { line: this.line, lineStart: this.lineStart };
  }

  /** The part of the current chunk from this offset on. */
  textFrom(offset: number): string {
    return this.text.slice(offset - this.offset);
  }

  /** @param i the index in the chunk */
  error(code: JsonParseErrorCode, problem: string, i: number, known: KnownDetails): JsonParseError {
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

type KnownDetails = Pick<JsonParseErrorDetails, "pointer" | "expected" | "value">;

/** Models send one token a chunk, and an error message shows the text before the error. */
const CHUNKS = 16;

const charactersBefore = 60;
const charactersAfter = 20;

/**
 * Cuts the line around a place out of the last chunks.
 *
 * @param index the index in `text`; the length of `text` for its end
 * @param lineStart where the line begins, relative to `text`. Negative if that part is no longer in memory
 */
export function excerptOf(text: string, index: number, lineStart: number): JsonExcerpt {
  const start = Math.max(lineStart, index - charactersBefore, 0);
  const lineEnd = text.indexOf("\n", index);
  const end = Math.min(lineEnd < 0 ? text.length : lineEnd, index + charactersAfter);
  return { text: text.slice(start, end), index: index - start, cut: start > lineStart };
}
