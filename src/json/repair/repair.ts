/**
 * A repair and its place: `offset` counts UTF-16 code units of the whole text from 0. docs/repair.md has an example of each
 * kind.
 */
export interface JsonRepair {
  readonly kind: JsonRepairKind;
  readonly offset: number;
}

/**
 * - `trailing_comma`, `extra_comma`, `missing_comma`: `[1,]`, `[1,,2]`, `[1 2]`
 * - `comment`: `// …`, `# …` or a block comment
 * - `quote`: a string in single, smart or backtick quotes
 * - `inner_quote`: a quote inside a string that was not escaped
 * - `unquoted_key`, `unquoted_value`: `{name: hello}`
 * - `literal`: `True`, `False`, `None`, `undefined`, `NaN`, `Infinity` and the like
 * - `number`: `+1`, `.5`, `5.`
 * - `control_character`: a raw line break or tab in a string
 * - `escape`: a backslash that does not begin a valid escape
 * - `doubled_opening`: `{{"a": 1}}`
 * - `missing_closer`: the text ended before its brackets were closed
 * - `extra_document`: with `extract`, another document follows the first; it is ignored
 */
export type JsonRepairKind =
  | "trailing_comma"
  | "extra_comma"
  | "missing_comma"
  | "comment"
  | "quote"
  | "inner_quote"
  | "unquoted_key"
  | "unquoted_value"
  | "literal"
  | "number"
  | "control_character"
  | "escape"
  | "doubled_opening"
  | "missing_closer"
  | "extra_document";

/** Returns the value of text without quotes: a literal, a number, or else a string. */
export function parseBareValue(text: string): {
  readonly value: string | number | boolean | null;
  readonly kind: JsonRepairKind;
} {
  const word = words.get(text.toLowerCase());
  if (word !== undefined) return { value: word, kind: "literal" };
  // With leading zeros the text is an article number or a postcode, for example, and stays a string.
  if (/^[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i.test(text)) {
    return { value: Number(text), kind: "number" };
  }
  return { value: text, kind: "unquoted_value" };
}

/** JSON has no NaN and no infinity. They become `null`, as with `JSON.stringify`. */
const words: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
  ["none", null],
  ["undefined", null],
  ["nan", null],
  ["-nan", null],
  ["infinity", null],
  ["+infinity", null],
  ["-infinity", null],
]);

/** Returns the quotes that close a string that began with this character; an empty string if it is not a quote. */
export function closingQuotes(character: string): string {
  switch (character) {
    case '"':
    case "'":
    case "`":
      return character;
    case "\u201c": // “
    case "\u201d": // ”
    case "\u201e": // „
      return '\u201d\u201c"';
    case "\u2018": // ‘
    case "\u2019": // ’
    case "\u201a": // ‚
      return "\u2019\u2018'";
    default:
      return "";
  }
}
