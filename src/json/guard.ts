import type { JsonCoercing } from "./coercion.js";
import type { JsonValue } from "./value.js";

/** Checks documents while they are read, and decides which parts are shown. `guardOf()` creates one from a schema. */
export interface JsonGuard {
  /**
   * Starts to check one document.
   *
   * @param coercing how to read values that the schema does not allow as they are written; `undefined` to refuse them
   */
  watch(place: JsonPlace, coercing?: JsonCoercing): JsonWatch;
}

/** The current place in the document. */
export interface JsonPlace {
  /** Returns the JSON Pointer (RFC 6901) of the innermost open container, or of the value in it that is being read. */
  pointer(inChild: boolean): string;
  /** Returns the innermost open container so far. It is live: read it, and do not keep it. */
  container(): JsonValue;
  /** Returns the document so far, immutable. */
  snapshot(): JsonValue | undefined;
  /** Shows the innermost open container, if it was hidden. */
  reveal(): void;
  /** Makes the object that begins the only element of an array: `{"a": 1` is `[{"a": 1`. Called by `open()`. */
  wrap(): void;
  /** Withholds the current value, and all that follow it in the innermost open container, until `settle()`. */
  hold(): void;
  /**
   * Leaves the innermost container open, although it ends in the text: values in it are withheld. What follows it is
   * withheld too. Called by `close()`.
   */
  leaveOpen(): void;
  /** Puts these values into the innermost open container, instead of those that were withheld. */
  settle(values: readonly SettledValue[]): void;
}

/** A complete value that was withheld, or the rest of a container that was left open, which ends with it. */
export type SettledValue =
  | {
      /** The key of a member. */
      readonly key?: string;
      readonly value: JsonValue;
    }
  | { readonly rest: readonly SettledValue[] };

/**
 * Checks one document. The parser calls its methods in the order of the text, and uses their results before it
 * continues. An error that they throw ends the parse.
 */
export interface JsonWatch {
  /** A key is complete. Returns the key to use. */
  key(key: string): string;
  /**
   * Whether the innermost open object may have this key: `true` if the schema names it, `false` if it forbids it.
   * `repair` asks where it is uncertain whether a string ends and a key begins.
   */
  knowsKey?(key: string): boolean | undefined;
  /**
   * Whether the schema names this key of the innermost open object, or names none. Among several documents, the first
   * is taken that has such a key.
   */
  expectsKey?(key: string): boolean;
  /**
   * Whether the next element of the innermost open array may be of this kind (`Kind`). `repair` asks where a string may
   * turn out to be a key.
   */
  allowsElement?(kind: number): boolean;
  /** An object or array begins. `hidden` tells whether `allow` hides it. Returns whether to hide it. */
  open(kind: number, hidden: boolean): boolean;
  /** The innermost container ends. It is still the innermost open container. */
  close(): void;
  /** The innermost container has ended. The innermost open container is now the one around it. */
  closed(): void;
  /** A scalar of one of these kinds (`Kind`) has begun. Returns whether it may be shown while it is incomplete. */
  begin(kinds: number): boolean;
  /** A string has grown by `suffix`. Returns whether it may be shown while it is incomplete. */
  text(text: string, suffix: string): boolean;
  /**
   * A scalar is complete. Returns the value to use, or `undefined` for none. Must return the same value if the scalar
   * was shown while it was incomplete.
   */
  leaf(value: string | number | boolean | null): JsonValue | undefined;
}
