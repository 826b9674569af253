import { Kind, kindOf } from "../../json/build/kinds.js";
import type { JsonValue } from "../../json/value.js";
import type { Alternative } from "./alternative.js";
import { codePoints } from "../values.js";
import type { Rules } from "./rules.js";
import type { SchemaViolationCode } from "./violation.js";

/** Why a value does not match, and the rules that it breaks. */
export interface SchemaProblem {
  readonly code: SchemaViolationCode;
  readonly rules: Rules;
}

type Scalar = string | number | boolean | null;

/** The problem if none of the possible kinds is allowed. */
export function problemOfKinds({ rules, kinds }: Alternative, possible: number): SchemaProblem | undefined {
  if ((kinds & possible) !== 0) return undefined;
  const first = rules.find((each) => (each.kinds & possible) === 0) ?? rules[0];
  return { code: "wrong_type", rules: first as Rules };
}

/** The keys of an object so far. */
export interface KeysSoFar {
  /** Known only for keys that the schema names. */
  has(key: string): boolean;
  /** The number of members. Counted only if the schema has `minProperties` or `maxProperties`. */
  readonly size: number;
}

/** The problem of any string that begins with this text, which has `points` code points. */
export function problemOfText(
  { rules }: Alternative,
  text: string,
  points: number,
): SchemaProblem | undefined {
  for (const each of rules) {
    if ((each.kinds & Kind.STRING) === 0) return { code: "wrong_type", rules: each };
    if (points > each.maxLength) return { code: "too_long", rules: each };
    if (each.options !== undefined && !isBeginning(text, each.options))
      return { code: "not_in_enum", rules: each };
  }
  return undefined;
}

/** The problem of a complete scalar. */
export function problemOfScalar({ rules }: Alternative, value: Scalar): SchemaProblem | undefined {
  for (const each of rules) {
    const code = codeOfScalar(each, value);
    if (code !== undefined) return { code, rules: each };
  }
  return undefined;
}

function codeOfScalar(rules: Rules, value: Scalar): SchemaViolationCode | undefined {
  if ((rules.kinds & kindOf(value)) === 0) return "wrong_type";
  if (rules.options !== undefined && !rules.options.has(value)) return "not_in_enum";
  if (!rules.limitsScalars) return undefined;
  if (typeof value === "string") return codeOfString(rules, value);
  return typeof value === "number" ? codeOfNumber(rules, value) : undefined;
}

function codeOfString(rules: Rules, value: string): SchemaViolationCode | undefined {
  // JSON Schema counts code points, other libraries UTF-16 code units. A length is wrong only if both counts are.
  if (value.length < rules.minLength) return "too_short";
  if (value.length > rules.maxLength && codePoints(value) > rules.maxLength) return "too_long";
  const { patterns } = rules;
  return patterns.length > 0 && patterns.every((pattern) => !pattern.test(value)) ? "no_match" : undefined;
}

function codeOfNumber(rules: Rules, value: number): SchemaViolationCode | undefined {
  if (rules.integer && !Number.isInteger(value)) return "wrong_type";
  if (value < rules.minimum || value > rules.maximum) return "out_of_range";
  const { exclusiveMinimum: above, exclusiveMaximum: below } = rules;
  // A limit that the schema lacks is infinite, and so is 1e400.
  if ((value <= above && above > -Infinity) || (value >= below && below < Infinity)) return "out_of_range";
  return rules.multipleOf !== undefined && isBetweenSteps(value, rules.multipleOf)
    ? "not_a_multiple"
    : undefined;
}

/** Libraries round differently (0.3 as a multiple of 0.1), so values close to a multiple are accepted. */
function isBetweenSteps(value: number, step: number): boolean {
  if (!Number.isFinite(value)) return true;
  const steps = value / step;
  return Math.abs(steps - Math.round(steps)) > 1e-9 * Math.max(1, Math.abs(steps));
}

/** The problem of an array with at least this many elements. */
export function problemOfElements({ rules }: Alternative, count: number): SchemaProblem | undefined {
  const tooLong = rules.find((each) => count > each.maxItems);
  return tooLong === undefined ? undefined : { code: "too_long", rules: tooLong };
}

/** The problem of an object with at least this many members. */
export function problemOfMembers(
  { rules }: Alternative,
  _key: string,
  count: number,
): SchemaProblem | undefined {
  const tooLong = rules.find((each) => count > each.maxProperties);
  return tooLong === undefined ? undefined : { code: "too_long", rules: tooLong };
}

/** The problem of an array that ends with this many elements. */
export function problemOfArrayEnd({ rules }: Alternative, count: number): SchemaProblem | undefined {
  const tooShort = rules.find((each) => count < each.minItems);
  return tooShort === undefined ? undefined : { code: "too_short", rules: tooShort };
}

/** The problem of an object that ends with these members. */
export function problemOfObjectEnd({ rules }: Alternative, keys: KeysSoFar): SchemaProblem | undefined {
  for (const each of rules) {
    if (each.required.some((key) => !keys.has(key))) return { code: "missing_key", rules: each };
    if (keys.size < each.minProperties) return { code: "too_short", rules: each };
  }
  return undefined;
}

export function missingKeys({ required }: Rules, keys: Pick<KeysSoFar, "has">): readonly string[] {
  return required.filter((key) => !keys.has(key));
}

/** Compares lengths first, because reading a long string at each chunk is costly. */
function isBeginning(text: string, options: ReadonlySet<JsonValue>): boolean {
  for (const option of options) {
    if (typeof option === "string" && option.startsWith(text)) return true;
  }
  return false;
}
