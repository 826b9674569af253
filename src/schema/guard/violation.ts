import { MillraceError } from "../../errors.js";
import type { JsonValue } from "../../json/value.js";
import { placeOf, type SchemaIssue } from "../schema.js";

/**
 * - `wrong_type`: a value of a type that the schema does not allow there
 * - `not_in_enum`: a value that is not in `enum` or `const`, or text that begins none of those values
 * - `too_long`, `too_short`: a string, array or object whose length is out of bounds
 * - `out_of_range`, `not_a_multiple`: a number that is out of bounds, or not a multiple of `multipleOf`
 * - `no_match`: a string that does not match its `pattern` or `format`, or a complete value that `not`, `if`,
 *   `contains` or another keyword does not allow
 * - `unknown_key`: a key, or an element, that the schema does not allow
 * - `missing_key`: an object ended without a required member
 * - `no_union_member`: no member of a union is possible, for different reasons
 */
export type SchemaViolationCode =
  | "wrong_type"
  | "not_in_enum"
  | "too_long"
  | "too_short"
  | "out_of_range"
  | "not_a_multiple"
  | "no_match"
  | "unknown_key"
  | "missing_key"
  | "no_union_member";

/** The properties of a `SchemaViolation`. */
export interface SchemaViolationDetails {
  /** The place of the wrong value: a JSON Pointer (RFC 6901). */
  readonly pointer: string;
  /** The values that the schema allows there, in words. */
  readonly expected: string;
  /** The value found, in words. */
  readonly got: string;
  /** The document before the violation, immutable; `undefined` if nothing was known. */
  readonly value: JsonValue | undefined;
}

/** No continuation of the streaming document can satisfy its schema. */
export class SchemaViolation extends MillraceError<SchemaViolationCode> implements SchemaViolationDetails {
  override readonly name: string = "SchemaViolation";
  declare readonly pointer: string;
  declare readonly expected: string;
  declare readonly got: string;
  declare readonly value: JsonValue | undefined;

  constructor(code: SchemaViolationCode, details: SchemaViolationDetails) {
    const { pointer, expected, got } = details;
    super(code, `Expected ${expected} at ${placeOf(pointer)}, but got ${got}.`, details);
  }

  /** The violation in the form of an issue of the schema's own check. */
  get issue(): SchemaIssue {
    return { pointer: this.pointer, message: `Expected ${this.expected}, but got ${this.got}.` };
  }
}
