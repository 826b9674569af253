import * as Kind from "../../json/build/kind.js";
import { kindOf } from "../../json/build/kinds.js";
import { counted } from "../../text/counts.js";
import type { Check, Keys } from "../keywords/keywords.js";
import { jsonExcerpt, wordsForKeys, wordsForKinds } from "../values.js";
import type { Alternative } from "./alternative.js";
import type { Rules } from "./rules.js";

/** Why a value does not match: the check that it does not pass. `keywords.ts` has the table of all checks. */
export type SchemaProblem = Pick<Check, "code" | "expected">;

export type Scalar = string | number | boolean | null;

/** The beginning of a string, with its number of code points. */
export interface TextSoFar {
  readonly text: string;
  readonly points: number;
}

/** Checks a fact about a value against an alternative of its schema. */
export interface SubjectCheck<Subject> {
  readonly problem: (alternative: Alternative, subject: Subject) => SchemaProblem | undefined;
  /** The subject in words, for an error. */
  readonly got: (subject: Subject) => string;
}

/** The checks of each event of a document. `members` and `elements` count the one that begins. */
export const checks: {
  /** A value of one of these kinds begins. */
  readonly kinds: SubjectCheck<number>;
  readonly text: SubjectCheck<TextSoFar>;
  readonly scalar: SubjectCheck<Scalar>;
  readonly elements: SubjectCheck<number>;
  readonly arrayEnd: SubjectCheck<number>;
  /** All elements at once. */
  readonly array: SubjectCheck<number>;
  readonly members: SubjectCheck<{ readonly key: string; readonly count: number }>;
  /** `has` for the keys that the schema names, `size` where it bounds their number. */
  readonly objectEnd: SubjectCheck<Keys>;
} = {
  kinds: {
    problem: ({ rules, kinds }, possible) => {
      if ((kinds & possible) !== 0) return undefined;
      const first = rules.find((each) => (each.kinds & possible) === 0) ?? rules[0];
      return first?.wrongKind;
    },
    got: wordsForKinds,
  },
  text: {
    problem: problemOfText,
    got: ({ text }) => (text === "" ? "a string" : `a string that begins with ${jsonExcerpt(text)}`),
  },
  scalar: { problem: problemOfScalar, got: jsonExcerpt },
  elements: {
    problem: ({ rules }, count) => tooMany(rules, "arrays", count),
    got: (count) => `more than ${counted(count - 1, "element")}`,
  },
  arrayEnd: { problem: ({ rules }, count) => failed(rules, "arrays", count), got: wordsForArray },
  array: {
    problem: ({ rules }, count) => tooMany(rules, "arrays", count) ?? failed(rules, "arrays", count),
    got: wordsForArray,
  },
  members: {
    problem: ({ rules }, { count }) => tooMany(rules, "objects", count),
    got: ({ key }) => `another key, ${jsonExcerpt(key)}`,
  },
  objectEnd: {
    problem: ({ rules }, keys) => failed(rules, "objects", keys),
    got: () => "the end of the object",
  },
};

export function problemOfText(
  { rules }: Alternative,
  { text, points }: TextSoFar,
): SchemaProblem | undefined {
  for (const { kinds, wrongKind, texts } of rules) {
    if ((kinds & Kind.STRING) === 0) return wrongKind;
    for (const check of texts) if (check.mayPass?.(points, text) === false) return check;
  }
  return undefined;
}

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

type Part = "arrays" | "objects";

function tooMany(rules: readonly Rules[], part: Part, count: number): SchemaProblem | undefined {
  for (const each of rules) {
    for (const check of each[part]) if (check.mayPass?.(count, "") === false) return check;
  }
  return undefined;
}

function failed(rules: readonly Rules[], part: Part, subject: number | Keys): SchemaProblem | undefined {
  for (const each of rules) {
    for (const check of each[part]) if (!check.passes(subject)) return check;
  }
  return undefined;
}

function wordsForArray(count: number): string {
  return `an array of ${counted(count, "element")}`;
}

export function wordsForKnown(alternatives: readonly Alternative[]): string {
  const known = new Set(alternatives.flatMap(({ rules }) => rules.flatMap(keysIn)));
  return known.size === 0 ? "no such key" : `only ${wordsForKeys([...known])}`;
}

function keysIn({ properties, propertyNames, additionalProperties }: Rules): readonly string[] {
  if (propertyNames === undefined || additionalProperties === false) return [...properties.keys()];
  return optionsIn(propertyNames);
}

/** The names in an `enum`. A `const` is a key that a library allows in each record. */
function optionsIn(names: unknown): readonly string[] {
  const { enum: options, anyOf } = Object(names) as Readonly<Record<string, unknown>>;
  const strings = [options].flat().filter((it) => typeof it === "string");
  return Array.isArray(anyOf) ? [...strings, ...anyOf.flatMap(optionsIn)] : strings;
}
