import * as Kind from "../../json/build/kind.js";
import type { Alternative } from "../guard/alternative.js";
import type { Shape } from "../guard/shape.js";
import { madeOnce } from "../../tree/made-once.js";
import { kindsOfSources, mayBecomeScalar } from "./scalar.js";

/**
 * For each alternative of a shape, the kinds of values that it can read, coerced or not.
 *
 * @param isElement whether the value is an element of a list, which is not made a list of one
 */
export function kindsRead(shape: Shape, isElement: boolean): readonly number[] {
  return isElement ? kindsReadAsElement(shape) : kindsReadAlone(shape);
}

const kindsReadAsElement = madeOnce((shape: Shape) =>
  shape.alternatives.map((alternative) => {
    const { kinds } = alternative;
    const inText = (kinds & (Kind.OBJECT | Kind.ARRAY)) === 0 ? 0 : Kind.STRING;
    const inList = (kinds & ~Kind.ARRAY) === 0 ? 0 : Kind.ARRAY;
    return kinds | kindsOfSources(alternative) | inText | inList;
  }),
);

const kindsReadAlone = madeOnce((shape: Shape) =>
  kindsReadAsElement(shape).map((kinds, i) => {
    if ((shape.at(i).kinds & Kind.ARRAY) === 0) return kinds;
    return kindsReadAsElement(shape.element(0).shape).reduce((all, each) => all | (each & ~Kind.NULL), kinds);
  }),
);

/**
 * Whether an alternative may read a string that begins with this text as another value.
 *
 * @param checked how much of the text was checked before
 * @param isElement whether the string is an element of a list, which is not made a list of one
 */
export function mayBecomeOther(
  shape: Shape,
  index: number,
  text: string,
  checked: number,
  isElement: boolean,
): boolean {
  const alternative = shape.at(index);
  if (mayBecomeScalar(alternative, text, checked)) return true;
  const { kinds } = alternative;
  if ((kinds & Kind.STRING) !== 0) return false;
  if ((kinds & (Kind.OBJECT | Kind.ARRAY)) !== 0 && mayBecomeDocument(text)) return true;
  if ((kinds & Kind.ARRAY) === 0 || isElement) return false;
  const { alternatives } = shape.element(0).shape;
  const known = text.slice(0, SHORT + 1);
  for (let end = checked; end <= known.length; end++) {
    if (end < known.length && !separator.test(known.charAt(end))) continue;
    const begin = known.slice(0, end);
    if (!alternatives.some((each) => mayBecomeElement(each, begin, checked))) return false;
  }
  return alternatives.some((each) => mayBecomeElement(each, "", checked));
}

function mayBecomeElement(alternative: Alternative, text: string, checked: number): boolean {
  if ((alternative.kinds & Kind.STRING) !== 0) return true;
  return mayBecomeScalar(alternative, text, checked) || mayBecomeScalar(alternative, lastOfList(text), 0);
}

/** Whether a string that begins with this text may contain a document. Looks at its first characters only. */
export function mayBecomeDocument(text: string): boolean {
  return /^\s{0,100}(?:`{0,2}$|```|[[{(])/.test(text);
}

/** Whether a string may contain a list without brackets. */
export function mayBeList(text: string): boolean {
  return separators.some((it) => it.test(text));
}

/** Between the values of a list in a string. The first that occurs separates them, and the others belong to them. */
export const separators: readonly RegExp[] = [/\n/, /[;；؛]/, /,\s|[，、،]/, /,/];

const separator = /[\n,;；؛，、،]/;

/** The last value of such a list so far, without its quotes. */
function lastOfList(text: string): string {
  let start = text.length;
  while (start > 0 && !separator.test(text.charAt(start - 1))) start--;
  return text.slice(start).replace(/^[\s"'“‘]+|[\s"'”’]+$/g, "");
}

/** Longer texts are not read again, because reading a long string at each chunk is costly. */
const SHORT = 200;

/**
 * Whether an open string is certain to stay text.
 *
 * @param live the alternatives that it may match
 * @param isContested whether they belong to different alternatives of its container
 */
export function staysText(shape: Shape, live: readonly number[], isContested: boolean): boolean {
  const [only] = live;
  if (only !== undefined && live.length === 1) return allowsText(shape.at(only));
  const possible = live.map((i) => shape.at(i));
  if (isContested) return possible.every(allowsAnyText);
  return possible.some(allowsAnyText) || possible.every(allowsText);
}

function allowsText({ kinds }: Alternative): boolean {
  return (kinds & Kind.STRING) !== 0;
}

function allowsAnyText(alternative: Alternative): boolean {
  const { rules, interpreted, wholeScalars } = alternative;
  if (!allowsText(alternative) || wholeScalars || interpreted.length > 0) return false;
  return !rules.some(({ scalars }) => scalars.length > 0);
}
