import type { JsonArray, JsonObject, JsonValue } from "./value.js";

/**
 * Listens to a document while it is read: the seam between the scanners and everything that uses what they read. The
 * builder of values is a handler, and so is a guard, which passes on to the next handler.
 *
 * The text `{"a": [12, "é` gives `open(false)`, `key("a")`, `open(true)`, `leaf(12)` and `text("é", false)`, the last
 * of them at the end of the chunk. An error that a handler throws ends the document.
 */
export interface JsonHandler {
  /** A container begins. */
  open(isArray: boolean): void;
  /** The innermost container ends. */
  close(): void;
  /** A key of the innermost object is complete. */
  key(key: string): void;
  /** A scalar of one of these kinds (`Kind`) has begun, and nothing of it is shown yet. Called again while it grows. */
  begin(kinds: number): void;
  /** An incomplete number or literal, for `allow`. Called again while it grows. */
  show(value: number | boolean | null): void;
  /**
   * A string grows by this piece; `""` for one that has just begun. A string inside one chunk is one call, with
   * `final`. A piece never ends with the first half of a surrogate pair, unless it is the last one.
   */
  text(piece: string, final: boolean): void;
  /** Any other complete value: a number, a literal, or what a short cut has read at once. */
  leaf(value: JsonValue): void;
}

/** What a scanner asks about the value that was read so far, for errors and bounds. */
export interface Known {
  /** The JSON Pointer of the innermost open container, or of the value in it that is being read. */
  pointer(inChild: boolean): string;
  snapshot(): JsonValue | undefined;
  /** Does the innermost object have this many keys? Repeated ones count once. */
  hasKeys(count: number): boolean;
}

/** What a scanner that repairs may ask about the schema, where a text has two readings. */
export interface Hints {
  /** May the innermost object have this key? `true` if the schema names it, `false` if it forbids it. */
  knowsKey(key: string): boolean | undefined;
  /** May the next element of the innermost array be of this kind (`Kind`)? */
  allowsElement(kind: number): boolean;
}

/** The handler that builds the value, with what is known of it. */
export interface Built extends JsonHandler, Known, Hints {
  /** The live value; `undefined` until it begins. */
  readonly value: JsonValue | undefined;
  /** The innermost open container. */
  readonly innermost: JsonArray | JsonObject;
  /** Adds complete elements or members to the innermost container. */
  addAll(values: JsonArray | JsonObject): void;
}
