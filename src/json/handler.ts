import type { JsonValue } from "./value.js";

/**
 * Listens to a document while it is read: the seam between the scanners and everything that uses what they read. The
 * builder of values is a handler, and so is a guard, which passes on to the next handler.
 *
 * The text `{"a": [12, "é` gives `open(false)`, `key("a")`, `open(true)`, `leaf(12)` and `text("é", false)`, the last
 * of them at the end of the chunk. An error that a handler throws ends the document.
 */
export interface JsonHandler {
  /** A container begins. One that is `hidden` is shown when it ends, or at `reveal()`. */
  open(isArray: boolean, hidden?: boolean): void;
  /** Show the innermost container from now on, if it was opened as hidden. */
  reveal(): void;
  /** The innermost container ends. */
  close(): void;
  /** A key of the innermost object is complete. */
  key(key: string): void;
  /** A scalar of one of these kinds (`Kind`) has begun. Called again while it grows. */
  begin(kinds: number): void;
  /** The number or literal so far, for `allow`. `begin()` was called before, also for the same chunk. */
  show(value: number | boolean | null): void;
  /**
   * A string grows by this piece; `""` for one that has just begun. A string inside one chunk is one call, with
   * `final`. A piece never ends with the first half of a surrogate pair, unless it is the last one.
   */
  text(piece: string, final: boolean): void;
  /** Any other complete value: a number, a literal, or what was read at once. */
  leaf(value: JsonValue): void;
}

/** What may be asked about the document so far, for errors and bounds. */
export interface JsonKnown {
  /** The JSON Pointer (RFC 6901) of the innermost open container, or of the value in it that is being read. */
  pointer(inChild: boolean): string;
  /** The part of the document that is shown, immutable. */
  snapshot(): JsonValue | undefined;
  /** The innermost open container so far. It is live: read it, and do not keep it. */
  container(): JsonValue;
  /** Does the innermost object have this many keys? Each one counts once. */
  hasKeys(count: number): boolean;
}

/** What a guard tells about its schema. A handler that knows no schema has none of these. */
export interface JsonHints {
  /** May the innermost object have this key? `true` if the schema names it, `undefined` if it does not say. */
  knowsKey?(key: string): boolean | undefined;
  /** May the object around the innermost array have this key or, if it is not whole, one that begins so? Default: yes. */
  mayBeKeyAround?(text: string, isWhole: boolean): boolean;
  /** May the next element of the innermost array be of this kind (`Kind`)? */
  allowsElement?(kind: number): boolean;
  /** Must the value that begins now be a list of strings or numbers? */
  expectsList?(): boolean;
  /** Does the schema name the key that was read last, or leave the keys of its object open? */
  expectsMember?(): boolean;
  /** How the innermost container is shown. */
  visibility?(): Visibility;
  /**
   * Is the object at the root an element of a list that has no brackets in the text, and may another one follow?
   * `knowsKey()` then answers for its first key, and `close()` ends the list.
   */
  awaitsElement?(): boolean;
}

/** `hidden` until it ends or is revealed, or `withheld`, because all of it may be read as something else. */
export type Visibility = "shown" | "hidden" | "withheld";

/** A handler that can stand behind a scanner or a guard. */
export interface JsonListener extends JsonHandler, JsonKnown, JsonHints {}

/** The builder of the value, as short cuts and the search for a document use it. */
export interface Built extends JsonListener {
  /** The live value; `undefined` until it begins. */
  readonly value: JsonValue | undefined;
}
