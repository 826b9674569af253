import type { JsonValue } from "./value.js";

/**
 * A value that was read as the schema expects it, and not as it was written. docs/reference/coercion.md has an example
 * of each kind.
 */
export interface JsonCoercion {
  /** The place of the value in the result: a JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly kind: JsonCoercionKind;
  /** The value that the model wrote. For a key, the key. */
  readonly from: JsonValue;
  /** The value in the result. For a key, the key. `undefined` for a member that is left out. */
  readonly to: JsonValue | undefined;
}

/**
 * - `number`: `"$1,234.50"` is 1234.5
 * - `boolean`: `"yes"` and 1 are true
 * - `option`: `"In progress"` is `"in_progress"`, a value of an `enum` or a `const`
 * - `list`: one value where a list is expected
 * - `single`: a list of one value where that value is expected
 * - `null`: a `null` for an optional member, which is left out; or `"null"` where a null is expected
 * - `key`: `"First name"` is `"first_name"`
 * - `document`: a string that contains a JSON document
 * - `date`: `"March 5, 2024"` is `"2024-03-05"`
 * - `rounded`: 9007199254740993 is 9007199254740992, because JavaScript has no such number; `from` is its text
 */
export type JsonCoercionKind =
  | "number"
  | "boolean"
  | "option"
  | "list"
  | "single"
  | "null"
  | "key"
  | "document"
  | "date"
  | "rounded";

/** An object or array that a string contains. */
export interface FoundDocument {
  readonly value: JsonValue;
  /** Was it repaired in a way that text in brackets would be, too: `[see below]`? */
  readonly mayBeText: boolean;
}

/** How a guard coerces values. */
export interface JsonCoercing {
  /** The locale of numbers, a BCP 47 tag. */
  readonly locale: string | undefined;
  /** Called with each coercion when it is certain. */
  readonly report: (coercion: JsonCoercion) => void;
  /** Reads a string that contains an object or array of JSON, and nothing else. Default: none, such a string is text. */
  readonly readDocument?: (text: string) => FoundDocument | undefined;
}
