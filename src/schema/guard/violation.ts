import { MillraceError } from "../../errors.js";
import type { JsonValue } from "../../json/value.js";
import type { SchemaIssue } from "../schema.js";

/**
 * - `wrong_type`: a value of a type that the schema does not allow there
 * - `not_in_enum`: none of the values of `enum` or `const`, nor the beginning of one
 * - `too_long`, `too_short`: a string, array or object with more or fewer parts than allowed
 * - `out_of_range`, `not_a_multiple`: a number outside its bounds, or between its steps
 * - `no_match`: a string that does not match its `pattern`
 * - `unknown_key`: a key, or an element, that the schema does not allow there
 * - `missing_key`: an object has ended without a required member
 * - `no_union_member`: each member of a union is impossible, for different reasons
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

/** What a `SchemaViolation` knows. */
export interface SchemaViolationDetails {
  /** The value that is wrong (RFC 6901). */
  readonly pointer: string;
  /** What the schema allows there, in words. */
  readonly expected: string;
  /** What came instead, in words. */
  readonly got: string;
  /** What was known of the whole document before, immutable; `undefined` if nothing was. */
  readonly value: JsonValue | undefined;
}

/** A document that is still arriving can no longer satisfy its schema, whatever follows. */
export class SchemaViolation extends MillraceError<SchemaViolationCode> implements SchemaViolationDetails {
  override readonly name: string = "SchemaViolation";
  readonly pointer: string;
  readonly expected: string;
  readonly got: string;
  readonly value: JsonValue | undefined;

  constructor(code: SchemaViolationCode, details: SchemaViolationDetails) {
    const { pointer, expected, got } = details;
    super(code, `Expected ${expected} at ${pointer === "" ? "the root" : pointer}, but got ${got}.`);
    this.pointer = pointer;
    this.expected = expected;
    this.got = got;
    this.value = details.value;
  }

  /** The same as an issue of the schema's own check. */
  get issue(): SchemaIssue {
    return { pointer: this.pointer, message: `Expected ${this.expected}, but got ${this.got}.` };
  }
}
