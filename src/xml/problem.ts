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

/** Translates an error message of saxes. */
export function problemOf(message: string): Problem {
  const found = table.find(([pattern]) => pattern.test(message));
  const [, code, expected] = found ?? [undefined, "not_well_formed" as const, "well-formed XML"];
  return { code, problem: `Expected ${expected}, but found this: ${message.replace(/\.$/, "")}`, expected };
}

const table: readonly (readonly [RegExp, XmlParseErrorCode, string])[] = [
  [/entity/, "invalid_reference", "one of the references of XML, such as &amp; or &#38;"],
  [/attribute|between attributes/, "invalid_attribute", 'attributes as name="value", each once'],
  [/^unbound namespace prefix/, "unbound_prefix", "a prefix that is bound to a namespace"],
  [/^text data outside/, "text_outside_root", "no text outside of the root element"],
  [/^documents may contain only one root/, "extra_root", "one root element"],
];

type TextPlace = Pick<XmlPlace, "line" | "column">;

/** An end tag of another element than the innermost open one. */
export function mismatchOf(
  endTag: string,
  place: TextPlace,
  open: ({ readonly name: string } & TextPlace) | undefined,
): Problem {
  const found = `found ${cut(endTag.replace(/\s*>$/, ">"), 50)} at ${inWords(place)}`;
  if (open === undefined) {
    return {
      code: "mismatched_tag",
      problem: `Expected the root element, but ${found}`,
      expected: "the root element",
    };
  }
  const expected = `</${open.name}>`;
  const opened = `<${cut(open.name, 50)}> at ${inWords(open)}`;
  return {
    code: "mismatched_tag",
    problem: `Expected ${cut(expected, 50)}, the end of ${opened}, but ${found}`,
    expected,
  };
}

function inWords({ line, column }: TextPlace): string {
  return `line ${line}, column ${column}`;
}

export function tooDeep(maxDepth: number): Problem {
  return {
    code: "max_depth",
    problem: `Expected an end tag, because maxDepth (${maxDepth}) elements are open, but found a start tag`,
    expected: "an end tag",
  };
}
