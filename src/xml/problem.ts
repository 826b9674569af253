import { levelsPerCharacter } from "./build/increments.js";
import { cut } from "../text/cut.js";
import type { XmlParseErrorCode } from "./errors.js";
import type { XmlPlace } from "./position.js";

/** A mistake in the text. */
export interface Problem {
  readonly code: XmlParseErrorCode;
  /** A sentence without its full stop. */
  readonly problem: string;
  readonly expected: string;
}

/** Throws the error for a problem at an offset of the whole text. */
export type Fail = (problem: Problem, offset: number) => never;

/** @param wanted `expected` in the words of the message */
function problem(code: XmlParseErrorCode, expected: string, found: string, wanted = expected): Problem {
  return { code, problem: `Expected ${wanted}, but found ${found}`, expected };
}

/** The expectation that each kind of wrong markup breaks. */
const expectations = {
  not_well_formed: "well-formed XML",
  invalid_reference: "one of the references of XML, such as &amp; or &#38;",
  invalid_attribute: 'attributes as name="value", each once',
  unbound_prefix: "a prefix that is bound to a namespace",
  text_outside_root: "only elements, comments and instructions outside of the root element",
  extra_root: "one root element",
} as const satisfies Partial<Readonly<Record<XmlParseErrorCode, string>>>;

export type MarkupProblem = keyof typeof expectations;

export function problemOf(code: MarkupProblem, found: string): Problem {
  return problem(code, expectations[code], found);
}

/**
 * An end tag of another element than the innermost open one.
 *
 * @param endTag its beginning
 */
export function mismatchOf(
  endTag: string,
  place: TextPlace,
  open: ({ readonly name: string } & TextPlace) | undefined,
): Problem {
  const found = `${cut(endTag.replace(/\s*>?$/, ">"), 50)} at ${inWords(place)}`;
  if (open === undefined) return problem("mismatched_tag", "the root element", found);
  const expected = `</${open.name}>`;
  const wanted = `${cut(expected, 50)}, the end of <${cut(open.name, 50)}> at ${inWords(open)}`;
  return problem("mismatched_tag", expected, found, wanted);
}

type TextPlace = Pick<XmlPlace, "line" | "column">;

function inWords({ line, column }: TextPlace): string {
  return `line ${line}, column ${column}`;
}

export function tooDeep(maxDepth: number): Problem {
  return problem("max_depth", "an end tag", `a start tag in maxDepth (${maxDepth}) elements`);
}

export function tooMuch(): Problem {
  const found = `more than ${levelsPerCharacter} elements of paths for each character`;
  return problem("max_work", "fewer leaves in fewer elements", found);
}

export function tooLong(maxTagLength: number): Problem {
  const expected = "the end of a tag, comment, instruction or document type";
  return problem("max_tag_length", expected, `more than maxTagLength (${maxTagLength}) characters`);
}

export function halfCharacter(): Problem {
  return problem("not_well_formed", "the other half of the character", "half of a surrogate pair");
}
