import type { XmlParseErrorCode } from "./errors.js";

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
export function problemOf(message: string, openName: string | undefined): Problem {
  const endTag = openName === undefined ? "the root element" : `</${openName}>`;
  if (/^unexpected close tag|^unmatched closing tag/.test(message)) {
    return {
      code: "mismatched_tag",
      problem: `Expected ${endTag}, but found another end tag`,
      expected: endTag,
    };
  }
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
