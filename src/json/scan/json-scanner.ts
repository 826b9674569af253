import type { JsonParseErrorCode } from "../errors.js";
import type { Mistake } from "./rejection.js";
import type { Position } from "./position.js";

/** Reads the text after a document. */
export interface RestReader {
  after(text: string, offset: number): void;
}

/** Reads the characters of a document: the strict scanner, or one that repairs. */
export interface JsonScanner {
  readonly position: Position;
  /** Receives the text after the document, and its offset. Without it such text is an error. */
  rest: RestReader | undefined;
  /** Has the document begun? */
  readonly begun: boolean;
  /** Is the document complete? A number at the root is complete only when the text has ended. */
  readonly done: boolean;
  /** Does the text so far end inside a string or a key? */
  readonly inString: boolean;
  /** The quotes that may close that string. Without it only `"` does. */
  readonly closingQuotes?: string;
  /** Reads a chunk, with which `position.enter()` was called. Throws a `Mistake` where the text is not JSON. */
  scan(text: string): void;
  /**
   * The text has ended. Returns whether the document is complete.
   *
   * @param truncated is the text known to be cut, so that a missing end is not the model's mistake?
   */
  finish(truncated: boolean): boolean;
  /** The input that may come next, in words. */
  expected(): string;
  /**
   * What is wrong at the place `i` of the chunk. Nothing can be scanned after it.
   *
   * @param expected by default `expected()`
   */
  fail(code: JsonParseErrorCode, problem: string, i: number, expected?: string): Mistake;
}
