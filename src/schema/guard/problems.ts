import { Kind } from "../../json/build/kinds.js";
import type { JsonValue } from "../../json/value.js";
import type { Alternative } from "./alternative.js";
import { kindOf, type Rules } from "./rules.js";
import type { SchemaViolationCode } from "./violation.js";

/** What is wrong with a value, and the rule that says so. */
export interface Problem {
  readonly code: SchemaViolationCode;
  readonly rules: Rules;
}

type Scalar = string | number | boolean | null;

/** Why a value of these kinds can be none of the alternative's; `undefined` if it can. */
export function problemOfKinds({ rules, kinds }: Alternative, possible: number): Problem | undefined {
  if ((kinds & possible) !== 0) return undefined;
  const first = rules.find((each) => (each.kinds & possible) === 0) ?? rules[0];
  return { code: "wrong_type", rules: first as Rules };
}

/** The members that an object has so far. */
export interface Keys {
  /** Only of a key that some alternative requires or awaits. */
  has(key: string): boolean;
  /** How many, where `minProperties` or `maxProperties` ask for it. */
  readonly size: number;
}

/** Why no string that begins so fits; it has `points` code points. */
export function problemOfText({ rules }: Alternative, text: string, points: number): Problem | undefined {
  for (const each of rules) {
    if ((each.kinds & Kind.STRING) === 0) return { code: "wrong_type", rules: each };
    if (points > each.maxLength) return { code: "too_long", rules: each };
    if (each.options !== undefined && !each.options.some((option) => beginsWith(option, text)))
      return { code: "not_in_enum", rules: each };
  }
  return undefined;
}

/** Why a complete scalar does not fit. */
export function problemOfScalar({ rules }: Alternative, value: Scalar): Problem | undefined {
  for (const each of rules) {
    const code = codeOfScalar(each, value);
    if (code !== undefined) return { code, rules: each };
  }
  return undefined;
}

function codeOfScalar(rules: Rules, value: Scalar): SchemaViolationCode | undefined {
  if ((rules.kinds & kindOf(value)) === 0) return "wrong_type";
  if (rules.options !== undefined && !rules.options.includes(value)) return "not_in_enum";
  if (!rules.limitsScalars) return undefined;
  if (typeof value === "string") return codeOfString(rules, value);
  return typeof value === "number" ? codeOfNumber(rules, value) : undefined;
}

function codeOfString(rules: Rules, value: string): SchemaViolationCode | undefined {
  // JSON Schema counts code points, other libraries UTF-16 code units: only what is wrong in both counts is wrong.
  if (value.length < rules.minLength) return "too_short";
  if (value.length > rules.maxLength && codePoints(value) > rules.maxLength) return "too_long";
  const { patterns } = rules;
  return patterns.length > 0 && patterns.every((pattern) => !pattern.test(value)) ? "no_match" : undefined;
}

function codeOfNumber(rules: Rules, value: number): SchemaViolationCode | undefined {
  if (rules.integer && !Number.isInteger(value)) return "wrong_type";
  if (value < rules.minimum || value > rules.maximum) return "out_of_range";
  if (value <= rules.exclusiveMinimum || value >= rules.exclusiveMaximum) return "out_of_range";
  return rules.multipleOf !== undefined && isBetweenSteps(value, rules.multipleOf)
    ? "not_a_multiple"
    : undefined;
}

/** Libraries differ in how they round (0.3 is or is not a multiple of 0.1), so only what is far off is wrong. */
function isBetweenSteps(value: number, step: number): boolean {
  const steps = value / step;
  return Math.abs(steps - Math.round(steps)) > 1e-9 * Math.max(1, Math.abs(steps));
}

/** Why an array cannot have this many elements, and perhaps more. */
export function problemOfElements({ rules }: Alternative, count: number): Problem | undefined {
  const tooLong = rules.find((each) => count > each.maxItems);
  return tooLong === undefined ? undefined : { code: "too_long", rules: tooLong };
}

/** Why an object cannot have this many members, with the next key, and perhaps more. */
export function problemOfMembers({ rules }: Alternative, _key: string, count: number): Problem | undefined {
  const tooLong = rules.find((each) => count > each.maxProperties);
  return tooLong === undefined ? undefined : { code: "too_long", rules: tooLong };
}

/** Why an array cannot end with this many elements. */
export function problemOfArrayEnd({ rules }: Alternative, count: number): Problem | undefined {
  const tooShort = rules.find((each) => count < each.minItems);
  return tooShort === undefined ? undefined : { code: "too_short", rules: tooShort };
}

/** Why an object cannot end with these members. */
export function problemOfObjectEnd({ rules }: Alternative, keys: Keys): Problem | undefined {
  for (const each of rules) {
    if (each.required.some((key) => !keys.has(key))) return { code: "missing_key", rules: each };
    if (keys.size < each.minProperties) return { code: "too_short", rules: each };
  }
  return undefined;
}

export function missingKeys({ required }: Rules, keys: Pick<Keys, "has">): readonly string[] {
  return required.filter((key) => !keys.has(key));
}

/** The length is looked at first: a long string that grows is costly to read. */
function beginsWith(option: JsonValue, text: string): boolean {
  return typeof option === "string" && option.length >= text.length && option.startsWith(text);
}

export function codePoints(text: string): number {
  let points = 0;
  for (let i = 0; i < text.length; i++, points++) if ((text.codePointAt(i) as number) > 0xffff) i++;
  return points;
}
