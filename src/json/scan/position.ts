import {
  type JsonExcerpt,
  JsonParseError,
  type JsonParseErrorCode,
  type JsonParseErrorDetails,
} from "../errors.js";
import { Mistake } from "./rejection.js";

/** The place of the scanner in the whole text, and the last chunks, for error messages. */
export class Position {
  /** The number of characters before the current chunk. */
  offset = 0;
  line = 1;
  /** The offset of the first character of the line. */
  lineStart = 0;
  /** The current chunk. */
  text = "";
  /** The chunks before it, the oldest at `chunks % CHUNKS`. */
  readonly recent: string[] = new Array<string>(CHUNKS).fill("");
  chunks = 0;
  /** Counts the line feeds of text that was read without counting them. Called before a line is needed. */
  skipped: { count(): void } | undefined;

  /** A chunk begins. */
  enter(text: string): void {
    this.text = text;
  }

  /** The chunk ends. */
  leave(): void {
    const { text } = this;
    this.offset += text.length;
    this.recent[this.chunks++ % CHUNKS] = text;
    this.text = "";
  }

  /** There is a line feed at this place of the chunk. */
  newLine(i: number): void {
    this.skipped?.count();
    this.line++;
    this.lineStart = this.offset + i + 1;
  }

  /** The character at a place of the chunk; `undefined` at its end. */
  found(i: number): string | undefined {
    const [character] = this.text.slice(i, i + 2); // half a surrogate pair if the other half is missing
    return character;
  }

  /**
   * @param i the index in the chunk
   * @param known what else the error tells. Nothing changes after a mistake, so it is asked later
   */
  mistake(code: JsonParseErrorCode, problem: string, i: number, known: () => KnownDetails): Mistake {
    const offset = this.offset + i;
    return new Mistake(offset, () => new JsonParseError(code, problem, { ...known(), ...this.placeOf(i) }));
  }

  private placeOf(i: number): Omit<JsonParseErrorDetails, keyof KnownDetails> {
    this.skipped?.count();
    const { recent, chunks, lineStart, line } = this;
    const oldest = chunks % CHUNKS;
    const before = [...recent.slice(oldest), ...recent.slice(0, oldest)].join("");
    const offset = this.offset + i;
    const index = before.length + i;
    return {
      offset,
      line,
      column: offset - lineStart + 1,
      found: this.found(i),
      excerpt: excerptOf(before + this.text, index, index - (offset - lineStart)),
    };
  }
}

type KnownDetails = Pick<JsonParseErrorDetails, "pointer" | "expected" | "value">;

/** Models send one token a chunk, and an error message shows the text before the error. A power of two is faster. */
export const CHUNKS = 16;

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
