import { Kind } from "../../json/build/kinds.js";
import type { JsonArray, JsonObject, JsonValue } from "../../json/value.js";
import { anyKind, hasMember, keysOf } from "../values.js";

/** One keyword of one schema: a rule for a value that applies no other schema. `keywords.ts` has the table of them. */
export interface Check {
  readonly keyword: string;
  /** What the tests look at. The rule holds for values of other kinds. */
  readonly subject: Subject;
  readonly code: ProblemCode;
  /** The value of the keyword, if it is a number. */
  readonly limit: number | undefined;
  /** Whether the whole value passes. */
  passes(subject: unknown, canon?: Equality): boolean;
  /**
   * Whether a value that has come so far may still pass. Without it, any beginning may.
   *
   * @param size the number of code points, elements or members so far, with the one that begins
   * @param text the string so far
   */
  readonly mayPass: ((size: number, text: string) => boolean) | undefined;
  /** The values that pass, in words. */
  expected(subject: unknown): string;
}

/** The codes of a `SchemaViolation` that a keyword leads to. */
export type ProblemCode =
  | "wrong_type"
  | "not_in_enum"
  | "too_long"
  | "too_short"
  | "out_of_range"
  | "not_a_multiple"
  | "no_match"
  | "missing_key";

/** Numbers values: equal ones have the same number. */
export interface Equality {
  numberOf(value: JsonValue): number;
}

/** What a keyword looks at. */
export interface Subject {
  /** The kinds of value that the keyword applies to, as flags of `Kind`. */
  readonly kinds: number;
  of(value: JsonValue): unknown;
}

/** The keys of an object, of which all or a part are known. */
export interface Keys {
  has(key: string): boolean;
  readonly size: number;
}

export const itself = (value: JsonValue): JsonValue => value;

export const anyValue: Subject = { kinds: anyKind, of: itself };
export const aString: Subject = { kinds: Kind.STRING, of: itself };
export const aNumber: Subject = { kinds: Kind.NUMBER, of: itself };
export const elementCount: Subject = { kinds: Kind.ARRAY, of: (array) => (array as JsonArray).length };
export const keys: Subject = {
  kinds: Kind.OBJECT,
  of: (object): Keys => ({
    has: (key) => hasMember(object as JsonObject, key),
    get size() {
      return keysOf(object as JsonObject).length;
    },
  }),
};
