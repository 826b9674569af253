import { lookAhead, matchAt, name, nameOfTag, space } from "../scan/markup.js";
import { WAIT, type XmlScanner } from "../scan/scanner.js";
import {
  ATTRIBUTE_EQUALS,
  ATTRIBUTE_NAME,
  ATTRIBUTE_SPACE,
  ATTRIBUTE_VALUE,
  TAG_SLASH,
} from "../scan/states.js";
import { nextEndTag, repairReference, replace, reportRepair } from "./tools.js";

/** Repairs a start tag and its attributes. Each method returns where to continue, or WAIT. */
export interface TagRepair {
  /** Whether to stop at each character, in a start tag that is cut or needs a repair. */
  stepping: boolean;
  /**
   * A tag that is cut is withheld, because most tags need no repair and can then be read at once.
   *
   * @param isEmpty whether it is one of HTML's that have no content
   */
  begin(i: number, isCorrect: boolean, isEmpty: boolean): number;
  /** Between the `<` of a start tag and its end. */
  repair(i: number): number;
}

/**
 * `<a id=1 checked>` is read as `<a id="1" checked="">`: at `1` and at the space after it a quote is fed, and at `>` the
 * missing value.
 */
export function tagRepair(scanner: XmlScanner): TagRepair {
  const { reader } = scanner;
  /** The name of the open start tag. */
  let tagName = "";
  let isEmpty = false;
  /** The characters that end the open attribute value, or "" if it has no quotes and a space ends it. */
  let quote = "";
  /** Whether an opening quote was fed instead of the written text. */
  let quoted = false;
  /** Whether the open value without quotes has a slash, as in an address. */
  let hasSlash = false;

  const inValue = (i: number): number => {
    switch (scanner.text[i]) {
      case "&":
        return repairReference(scanner, i);
      case "<":
        return replace(scanner, "less_than", i, i + 1, "&lt;");
      case '"':
        return scanner.replaceBy("&quot;", i, i + 1);
      default:
        return i;
    }
  };
  const inQuotes = (character: string, i: number): number => {
    if (character !== quote) return inValue(i);
    switch (quoteAt(scanner.text, i)) {
      case "end":
        return i;
      case "undecided":
        return scanner.ended ? i : WAIT;
      case "inner":
        return replace(scanner, "attribute_quote", i, i + 1, character === '"' ? "&quot;" : "&apos;");
      case "separator":
        return replace(
          scanner,
          "attribute_separator",
          i,
          matchAt(separator, scanner.text, i + 1),
          `${character} `,
        );
    }
  };
  /** Whether a `/>` after a value without quotes is the end of an element: of `<a href=http://a.b/>c</a>` it is not. */
  const endsWithSlash = (i: number): boolean | undefined => {
    if (!hasSlash) return true;
    const next = nextEndTag(scanner, i + 2);
    return next === undefined ? next : next !== tagName || reader.builder.path.includes(tagName);
  };
  /** @returns `i` if this character is to be read by the tokenizer, in the value or after it */
  const inUnquoted = (character: string, i: number): number => {
    const { text } = scanner;
    if (quote !== "") {
      if (!quote.includes(character)) return inValue(i);
      return scanner.replaceBy('"', i, i + 1);
    }
    const isSlash = character === "/";
    if (isSlash && i + 1 === text.length && !scanner.ended) return WAIT;
    const isEnd = isSlash && text[i + 1] === ">" ? endsWithSlash(i) : /[>\s]/.test(character);
    if (isEnd === undefined) return WAIT;
    if (!isEnd) {
      hasSlash ||= isSlash;
      return inValue(i);
    }
    scanner.replaceBy('"', i, i);
    return i;
  };
  const beginValue = (character: string, i: number): number => {
    quoted = character !== '"' && character !== "'";
    quote = character;
    if (!quoted) return i;
    quote = closingQuotes[character] ?? "";
    hasSlash = false;
    const isTypographic = quote !== "";
    replace(scanner, "unquoted_attribute", i, isTypographic ? i + 1 : i, '"');
    return isTypographic ? i + 1 : inUnquoted(character, i);
  };

  const tag: TagRepair = {
    stepping: false,
    begin: (i, isCorrect, empty) => {
      const { text } = scanner;
      const isCut = text.length - i < lookAhead && !text.includes(">", i);
      if (isCut && !scanner.ended) return WAIT;
      isEmpty = empty;
      tag.stepping = empty || !isCorrect;
      tagName = nameOfTag(text, i);
      return i;
    },
    repair: (i) => {
      if (!tag.stepping) return i;
      const character = scanner.text.charAt(i);
      const isSpace = /\s/.test(character);
      if (reader.state === ATTRIBUTE_EQUALS && !isSpace) {
        const next = beginValue(character, i);
        if (next !== i) return next;
      } else if (reader.state === ATTRIBUTE_VALUE) {
        const next = (quoted ? inUnquoted : inQuotes)(character, i);
        if (next !== i || reader.state === ATTRIBUTE_VALUE) return next;
      }
      const isNameEnd = reader.state === ATTRIBUTE_NAME && /[/>]/.test(character);
      if (isNameEnd || (reader.state === ATTRIBUTE_SPACE && !isSpace && character !== "="))
        replace(scanner, "missing_attribute_value", i, i, '="" ');
      if (reader.state === TAG_SLASH && isSpace) return scanner.replaceBy("", i, i + 1);
      if (isEmpty && character === ">" && reader.state !== TAG_SLASH) {
        reportRepair(scanner, "void_element", reader.markupStart - scanner.offset);
        scanner.replaceBy("/", i, i);
      }
      return i;
    },
  };
  return tag;
}

/** Typographic quotes, and what closes them. */
const closingQuotes: Readonly<Record<string, string>> = {
  "“": "”“",
  "”": "”",
  "„": "“”",
  "‘": "’‘",
  "’": "’",
  "«": "»",
};

// `space` and `name` have no character in common: one that both match would be tried in all ways.
const endOfValue = new RegExp(`${space}*(?:/${space}*)?>|(?:${space}+${name}){1,3}${space}*(?:=|/?>)`, "y");
const separator = new RegExp(`(?:${space}*,${space}*)?(?=${name}${space}*=${space}*["'])`, "y");
const partOfEnd = new RegExp(
  `^(?:${space}*(?:/${space}*)?|[ \\t\\r\\n,]*(?:${name}${space}+){0,2}(?:${name}${space}*)?(?:=${space}*)?/?)$`,
);

/**
 * The meaning of a quote in an attribute value that has such quotes.
 *
 * - `end`: it ends the value
 * - `separator`: it ends the value, but there is no space before the next attribute, or a comma: `a="1"b="2"`
 * - `inner`: it is part of the value, and another quote ends it: `title="say "hi" now"`
 */
function quoteAt(text: string, i: number): "end" | "separator" | "inner" | "undecided" {
  const known = text.slice(i, i + lookAhead);
  if (matchAt(endOfValue, known, 1) > 0) return "end";
  if (matchAt(separator, known, 1) > 0) return "separator";
  const after = known.slice(1);
  const isCut = known.length < lookAhead;
  if (isCut && partOfEnd.test(after)) return "undecided";
  const rest = after.split(">", 1)[0] as string;
  if (rest.includes(text.charAt(i))) return "inner";
  return isCut && rest === after ? "undecided" : "end";
}
