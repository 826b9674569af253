import * as Kind from "./kind.js";
import type { JsonValue } from "../value.js";

export const anyScalar: number = Kind.STRING | Kind.NUMBER | Kind.TRUE | Kind.FALSE | Kind.NULL;

/**
 * The kinds that a number or literal may be, when only its beginning is known. With repair it may become a string
 * without quotes, and `-Infinity` becomes null.
 */
export function kindsAtStart(kind: number, repairs: boolean): number {
  if (!repairs) return kind;
  return kind | Kind.STRING | (kind === Kind.NUMBER ? Kind.NULL : 0);
}

/** The kind of values that JSON does not have: `undefined`, functions, symbols and bigints. No `type` allows it. */
export const otherKind = 128;

/** The kind of a value, as a flag of `Kind`. */
export function kindOf(value: JsonValue): number {
  switch (typeof value) {
    case "string":
      return Kind.STRING;
    case "number":
      return Kind.NUMBER;
    case "boolean":
      return value ? Kind.TRUE : Kind.FALSE;
    case "object":
      return value === null ? Kind.NULL : Array.isArray(value) ? Kind.ARRAY : Kind.OBJECT;
    default:
      return otherKind;
  }
}
