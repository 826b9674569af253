import type { Builder } from "./build/builder.js";
import type { JsonParseError, JsonParseErrorCode } from "./errors.js";
import type { JsonParserOptions } from "./options.js";
import type { Position } from "./scan/position.js";
import type { JsonValue } from "./value.js";

/** What `JsonParser` needs of a scanner, strict or lenient. */
export interface JsonScanner {
  readonly position: Position;
  /** Has the document begun? */
  readonly begun: boolean;
  /** Is the document complete? */
  readonly done: boolean;
  /** Does the text so far end inside a string or a key? */
  readonly inString: boolean;
  /** Reads a chunk. `position.enter()` was called with it. */
  scan(text: string): void;
  /**
   * The text has ended. Returns whether the document is complete.
   *
   * @param truncated whether the text is known to be truncated, so a missing bracket is not the model's mistake
   */
  finish(truncated: boolean): boolean;
  /** The text at the end of the last chunk that is not decided yet. Its lines are not counted. */
  undecided(): string;
  /** What is expected next, in words. */
  expected(): string;
  /** Makes an error. `i`: the index in the chunk. */
  fail(code: JsonParseErrorCode, problem: string, i: number, expected: string): JsonParseError;
}

/** Creates a scanner that tells the builder what it reads, and `proseAfter` the text after the document. */
export type CreateScanner = (
  options: JsonParserOptions,
  builder: Builder,
  proseAfter?: (text: string, offset: number) => void,
) => JsonScanner;

/** What a scanner asks about the value so far, for errors and bounds. */
export interface Known {
  /** The JSON Pointer of the innermost open container, or of the value in it that is being read. */
  pointer(inChild: boolean): string;
  snapshot(): JsonValue | undefined;
  /** Does the innermost object have this many keys? Each one counts once. */
  hasKeys(count: number): boolean;
}

/** What a scanner that repairs asks a schema. */
export interface Hints {
  /** Is this a key of an open object? `undefined` if the schema does not name its keys. */
  knowsKey(key: string): boolean | undefined;
  /** May the open array have an element of this kind (`Kind`)? */
  allowsElement(kind: number): boolean;
}
