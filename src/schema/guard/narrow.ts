import type { JsonValue } from "../../json/value.js";
import type { WholeValues } from "../interpreter/interpreter.js";
import { wordsForKeys } from "../values.js";
import type { OpenContainer } from "./open-container.js";
import { checks, type SubjectCheck, wordsForKnown } from "./problems.js";
import type { Shape } from "./shape.js";
import type { SchemaViolationCode } from "./violation.js";

/** The alternatives without a problem. Most values have one alternative, so that case comes first. */
export function narrow<Subject>(
  shape: Shape,
  live: readonly number[],
  { problem }: SubjectCheck<Subject>,
  subject: Subject,
): readonly number[] {
  const [only] = live;
  if (only !== undefined && live.length === 1)
    return problem(shape.at(only), subject) === undefined ? live : [];
  return live.filter((index) => problem(shape.at(index), subject) === undefined);
}

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
  { problem, got }: SubjectCheck<Subject>,
  subject: Subject,
): Objection {
  if (live.length === 0) return { code: "no_match", expected: "no value", got: got(subject) };
  const problems = live.flatMap((index) => problem(shape.at(index), subject) ?? []);
  const [code = "no_union_member", ...others] = new Set(problems.map((each) => each.code));
  const expected = new Set(problems.map((each) => each.expected(subject)));
  return {
    code: others.length === 0 ? code : "no_union_member",
    expected: [...expected].join(" or "),
    got: got(subject),
  };
}

/** Describes why no alternative of the container allows the member or element that begins. */
export function objectionToPart({ shape, live, isArray, count, key }: OpenContainer): Objection {
  return {
    code: "unknown_key",
    expected: isArray ? "the end of the array" : wordsForKnown(live.map((index) => shape.at(index))),
    got: isArray ? checks.elements.got(count + 1) : wordsForKeys([key]),
  };
}

/** Describes why the interpreter does not accept the complete value. */
export function objectionToWhole(
  shape: Shape,
  [first]: readonly number[],
  wholeValues: WholeValues | undefined,
  value: JsonValue,
): Objection | undefined {
  const mismatch = wholeValues?.mismatch(shape.at(first as number).interpreted, value);
  if (mismatch === undefined) return undefined;
  const { pointer, expected, found } = mismatch;
  return { code: "no_match", expected, got: found, inside: pointer };
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
