import type { JsonValue } from "./value.js";

/** Checks documents while they are read, and decides which parts are shown. `guardOf()` creates one from a schema. */
export interface JsonGuard {
  /** Starts to check one document. */
  watch(place: JsonPlace): JsonWatch;
}

/** The current place in the document. */
export interface JsonPlace {
  /** Returns the JSON Pointer (RFC 6901) of the innermost open container, or of the value in it that is being read. */
  pointer(inChild: boolean): string;
  /** Returns the innermost open container so far. It is live: read it, and do not keep it. */
  container(): JsonValue;
  /** Returns the document so far, immutable. */
  snapshot(): JsonValue | undefined;
}

/**
 * Checks one document. The parser calls its methods in the order of the text, and uses their results before it continues. An
 * error that they throw ends the parse. Where the result is about "the container around", this is the innermost open
 * container, and `true` shows it if it was hidden.
 */
export interface JsonWatch {
  /** A key is complete. Returns whether the container around may be shown from now on. */
  key(key: string): boolean;
  /** An object or array begins. `hidden` tells whether `allow` hides it. Returns whether to hide it. */
  open(kind: number, hidden: boolean): boolean;
  /** The innermost container ends. Returns whether the container around it may be shown from now on. */
  close(): boolean;
  /** A scalar of one of these kinds (`Kind`) has begun. Returns whether it may be shown while it is incomplete. */
  begin(kinds: number): boolean;
  /** A string has grown by `suffix`. Returns whether it may be shown while it is incomplete. */
  text(text: string, suffix: string): boolean;
  /** A scalar is complete. Returns whether the container around may be shown from now on. */
  leaf(value: string | number | boolean | null): boolean;
}
