import { Kind, kindOf } from "../../json/build/kinds.js";
import type { Check, Keys } from "../keywords/check.js";
import type { Alternative } from "./alternative.js";
import type { Rules } from "./rules.js";

/** Why a value does not match: the check that it does not pass. `keywords.ts` has the table of all checks. */
export type SchemaProblem = Pick<Check, "code" | "expected">;

export type Scalar = string | number | boolean | null;

/** The keys of an object so far: `has` for those that the schema names, `size` where it bounds their number. */
export type KeysSoFar = Keys;

/** The problem if none of the possible kinds is allowed. */
export function problemOfKinds({ rules, kinds }: Alternative, possible: number): SchemaProblem | undefined {
  if ((kinds & possible) !== 0) return undefined;
  const first = rules.find((each) => (each.kinds & possible) === 0) ?? rules[0];
  return (first as Rules).wrongKind;
}

/** The problem of any string that begins with this text, which has `points` code points. */
export function problemOfText(
  { rules }: Alternative,
  text: string,
  points: number,
): SchemaProblem | undefined {
  for (const { kinds, wrongKind, texts } of rules) {
    if ((kinds & Kind.STRING) === 0) return wrongKind;
    for (const check of texts) if (check.mayPass?.(points, text) === false) return check;
  }
  return undefined;
}

/** The problem of a complete scalar. */
export function problemOfScalar({ rules }: Alternative, value: Scalar): SchemaProblem | undefined {
  for (const { kinds, wrongKind, scalars } of rules) {
    const kind = kindOf(value);
    if ((kinds & kind) === 0) return wrongKind;
    for (const check of scalars) {
      if ((check.subject.kinds & kind) !== 0 && !check.passes(value)) return check;
    }
  }
  return undefined;
}

/** The problem of an array with at least this many elements. */
export function problemOfElements({ rules }: Alternative, count: number): SchemaProblem | undefined {
  return tooMany(rules, "arrays", count);
}

/** The problem of an object with at least this many members. */
export function problemOfMembers(
  { rules }: Alternative,
  _key: string,
  count: number,
): SchemaProblem | undefined {
  return tooMany(rules, "objects", count);
}

/** The problem of an array that ends with this many elements. */
export function problemOfArrayEnd({ rules }: Alternative, count: number): SchemaProblem | undefined {
  return failed(rules, "arrays", count);
}

/** The problem of an object that ends with these members. */
export function problemOfObjectEnd({ rules }: Alternative, keys: KeysSoFar): SchemaProblem | undefined {
  return failed(rules, "objects", keys);
}

function tooMany(
  rules: readonly Rules[],
  part: "arrays" | "objects",
  count: number,
): SchemaProblem | undefined {
  for (const each of rules) {
    for (const check of each[part]) if (check.mayPass?.(count, "") === false) return check;
  }
  return undefined;
}

function failed(
  rules: readonly Rules[],
  part: "arrays" | "objects",
  subject: number | KeysSoFar,
): SchemaProblem | undefined {
  for (const each of rules) {
    for (const check of each[part]) if (!check.passes(subject)) return check;
  }
  return undefined;
}
