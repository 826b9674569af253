import type { XmlFrame } from "./build/xml-frame.js";
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

/** The words for the expected input, for each kind of mistake. */
const expectations = {
  not_well_formed: "well-formed XML",
  invalid_reference: "one of the references of XML, such as &amp; or &#38;",
  invalid_attribute: 'attributes as name="value", each once',
  unbound_prefix: "a prefix that is bound to a namespace",
  text_outside_root: "only elements, comments and instructions outside of the root element",
  extra_root: "one root element",
  mismatched_tag: "the root element",
  max_depth: "an end tag",
  max_tag_length: "the end of a tag, comment, instruction or document type",
  max_work: "fewer leaves in fewer elements",
} as const satisfies Partial<Readonly<Record<XmlParseErrorCode, string>>>;

export type MarkupProblem = keyof typeof expectations;

/** @param wanted `expected` in the words of the message */
export function problemOf(
  code: MarkupProblem,
  found: string,
  expected: string = expectations[code],
  wanted: string = expected,
): Problem {
  return { code, problem: `Expected ${wanted}, but found ${found}`, expected };
}

/**
 * An end tag of another element than the innermost open one.
 *
 * @param name what the end tag is for
 */
export function mismatchOf(name: string, place: XmlPlace, open: XmlFrame | undefined): Problem {
  const found = `${cut(`</${name}>`, 50)} at ${inWords(place)}`;
  if (open === undefined) return problemOf("mismatched_tag", found);
  const expected = `</${open.name}>`;
  const wanted = `${cut(expected, 50)}, the end of <${cut(open.name, 50)}> at ${inWords(open.place)}`;
  return problemOf("mismatched_tag", found, expected, wanted);
}

function inWords({ line, column }: XmlPlace): string {
  return `line ${line}, column ${column}`;
}
