import type { JsonValue } from "./value.js";

/** Says of a document, while it is read, what it must not be and what of it may be shown. `guardOf()` makes one. */
export interface JsonGuard {
  /** Begins to watch one document. */
  watch(place: JsonPlace): JsonWatch;
}

/** Where the reader of the document is. */
export interface JsonPlace {
  /** The innermost open container (RFC 6901), or the value in it that is being read. */
  pointer(inChild: boolean): string;
  /** What is known of the document, immutable. */
  snapshot(): JsonValue | undefined;
}

/**
 * Watches one document. Its methods are called in the order of the text, each before the reader acts on what it says; what
 * they throw ends the reading. Where one gives a boolean about "the container around", it is the innermost open one, and
 * true lets the reader show it if it was withheld.
 */
export interface JsonWatch {
  /** A member's key is complete. Gives whether the container around may be shown from now on. */
  key(key: string): boolean;
  /** An object or array begins, which is hidden in any case or not. Gives whether to withhold it. */
  open(kind: number, hidden: boolean): boolean;
  /** The innermost container ends. Gives whether the one around it may be shown from now on. */
  close(): boolean;
  /** A scalar has begun and can only become one of these kinds (`Kind`). Gives whether it may be shown as it grows. */
  begin(kinds: number): boolean;
  /** A string has grown, and by what. Gives whether it may be shown as it grows. */
  text(text: string, suffix: string): boolean;
  /** A scalar is complete. Gives whether the container around may be shown from now on. */
  leaf(value: string | number | boolean | null): boolean;
}
