import type { Builder } from "../build/builder.js";
import type { JsonParseError, JsonParseErrorCode } from "../errors.js";
import type { JsonHandler } from "../handler.js";
import type { JsonParserOptions } from "../options.js";
import type { JsonValue } from "../value.js";
import type { Position } from "./position.js";

/** Reads the characters of a document: the strict scanner, or one that repairs. */
export interface JsonScanner {
  readonly position: Position;
  /** Has the document begun? */
  readonly begun: boolean;
  /** Is the document complete? A number at the root is complete only when the text has ended. */
  readonly done: boolean;
  /** Does the text so far end inside a string or a key? */
  readonly inString: boolean;
  /** Reads a chunk, with which `position.enter()` was called. */
  scan(text: string): void;
  /**
   * The text has ended. Returns whether the document is complete.
   *
   * @param truncated is the text known to be cut, so that a missing end is not the model's mistake?
   */
  finish(truncated: boolean): boolean;
  /** The text at the end of the last chunk that is not decided yet. Its lines are not counted. */
  undecided(): string;
  /** What may come next, in words. */
  expected(): string;
  /** Makes the error for the place `i` of the chunk. */
  fail(code: JsonParseErrorCode, problem: string, i: number, expected: string): JsonParseError;
}

/** What a scanner asks about the value that was read so far, for errors and bounds. */
export interface Known {
  /** The JSON Pointer of the innermost open container, or of the value in it that is being read. */
  pointer(inChild: boolean): string;
  snapshot(): JsonValue | undefined;
  /** Does the innermost object have this many keys? Repeated ones count once. */
  hasKeys(count: number): boolean;
}

/** What a scanner works with. */
export interface ScannerContext {
  readonly options: JsonParserOptions;
  readonly handler: JsonHandler;
  readonly known: Known;
  /** For short cuts, which are created if `options.fast` is passed. */
  readonly builder: Builder;
  /** Receives the text after the document, and its offset. Without it such text is an error. */
  readonly after?: ((text: string, offset: number) => void) | undefined;
  /** Called with the offset of a control character in a string. Without it such a character is an error. */
  readonly onRawControl?: ((offset: number) => void) | undefined;
}

export type CreateScanner = (context: ScannerContext) => JsonScanner;
