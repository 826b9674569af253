import { jsonExcerpt, wordsForKinds } from "../values.js";
import type { Alternative } from "./alternative.js";
import {
  expectedBy,
  wordsForArray,
  wordsForBeginning,
  wordsForNextElement,
  wordsForNextKey,
} from "./expected-words.js";
import {
  problemOfArrayEnd,
  problemOfElements,
  problemOfKinds,
  problemOfMembers,
  problemOfObjectEnd,
  problemOfScalar,
  problemOfText,
  type KeysSoFar,
  type SchemaProblem,
} from "./problems.js";
import type { Shape } from "./shape.js";
import type { SchemaViolationCode } from "./violation.js";

/** What is known of a value, and how an alternative of its schema checks it. */
export interface SubjectCheck<Subject> {
  readonly problem: (alternative: Alternative, subject: Subject) => SchemaProblem | undefined;
  /** The subject in words, for an error. */
  readonly got: (subject: Subject) => string;
  /** The members of the object that ends. */
  readonly keys?: (subject: Subject) => KeysSoFar;
}

/** The beginning of a string, with its number of code points. */
export interface TextSoFar {
  readonly text: string;
  readonly points: number;
}

/** Each event of a document narrows the alternatives of a value by one of these checks. */
export const checks: {
  /** A value of one of these kinds begins. */
  readonly kinds: SubjectCheck<number>;
  readonly text: SubjectCheck<TextSoFar>;
  readonly scalar: SubjectCheck<string | number | boolean | null>;
  /** Another element begins. With it there are this many. */
  readonly elements: SubjectCheck<number>;
  readonly arrayEnd: SubjectCheck<number>;
  /** The one element of a list that the text does not have. */
  readonly listOf: SubjectCheck<number>;
  /** Another member begins. With it there are `count`. */
  readonly members: SubjectCheck<{ readonly key: string; readonly count: number }>;
  readonly objectEnd: SubjectCheck<KeysSoFar>;
} = {
  kinds: { problem: problemOfKinds, got: wordsForKinds },
  text: {
    problem: (alternative, { text, points }) => problemOfText(alternative, text, points),
    got: ({ text }) => wordsForBeginning(text),
  },
  scalar: { problem: problemOfScalar, got: jsonExcerpt },
  elements: { problem: problemOfElements, got: wordsForNextElement },
  arrayEnd: { problem: problemOfArrayEnd, got: wordsForArray },
  listOf: {
    problem: (alternative, count) =>
      problemOfElements(alternative, count) ?? problemOfArrayEnd(alternative, count),
    got: wordsForArray,
  },
  members: {
    problem: (alternative, { key, count }) => problemOfMembers(alternative, key, count),
    got: ({ key }) => wordsForNextKey(key),
  },
  objectEnd: { problem: problemOfObjectEnd, got: () => "the end of the object", keys: (keys) => keys },
};

/** The alternatives without a problem. Most values have one alternative and no problem, so that case comes first. */
export function narrow<Subject>(
  shape: Shape,
  live: readonly number[],
  { problem }: SubjectCheck<Subject>,
  subject: Subject,
): readonly number[] {
  const [only] = live;
  if (only !== undefined && live.length === 1) {
    return problem(shape.at(only), subject) === undefined ? live : none;
  }
  const alive = live.filter((index) => problem(shape.at(index), subject) === undefined);
  return alive.length === live.length ? live : alive;
}

const none: readonly number[] = [];

/** Why no alternative is left. */
export interface Objection {
  readonly code: SchemaViolationCode;
  readonly expected: string;
  readonly got: string;
  /** The JSON Pointer of the wrong part inside the value. */
  readonly inside?: string;
}

/** Describes why none of these alternatives allows the value. Each of them has a problem. */
export function objectionOf<Subject>(
  shape: Shape,
  live: readonly number[],
  { problem, got, keys }: SubjectCheck<Subject>,
  subject: Subject,
): Objection {
  if (live.length === 0) return { code: "no_match", expected: "no value", got: got(subject) };
  const problems = live.flatMap((index) => problem(shape.at(index), subject) ?? []);
  const [code = "no_union_member", ...others] = new Set(problems.map((each) => each.code));
  const expected = new Set(problems.map((each) => expectedBy(each, keys?.(subject))));
  return {
    code: others.length === 0 ? code : "no_union_member",
    expected: [...expected].join(" or "),
    got: got(subject),
  };
}

/**
 * The length of the shortest beginning of a piece that is refused. What is refused stays refused as it grows.
 *
 * @param isRefused whether the beginning of this length is refused. All of the piece is
 */
export function shortestRefused(piece: string, isRefused: (length: number) => boolean): number {
  let allowed = -1;
  let refused = piece.length;
  while (refused - allowed > 1) {
    const middle = (allowed + refused) >> 1;
    if (isRefused(middle)) refused = middle;
    else allowed = middle;
  }
  return refused;
}
