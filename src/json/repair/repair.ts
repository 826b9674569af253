/**
 * What was repaired, and where: `offset` counts UTF-16 code units of the whole text from 0. docs/repair.md has the table
 * with an example of each.
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
 * - `escape`: a backslash that begins no escape of JSON
 * - `doubled_opening`: `{{"a": 1}}`
 * - `missing_closer`: the text ended before its brackets were closed
 * - `extra_document`: with `extract`, another document stands behind the first; it is left out
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

/** What words and numbers without quotes stand for; anything else is a string. */
export function bareValue(text: string): {
  readonly value: string | number | boolean | null;
  readonly kind: JsonRepairKind;
} {
  const word = words.get(text.toLowerCase());
  if (word !== undefined) return { value: word, kind: "literal" };
  // No leading zeros: an article number or a postcode is not a number.
  if (/^[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i.test(text)) {
    return { value: Number(text), kind: "number" };
  }
  return { value: text, kind: "unquoted_value" };
}

/** As JSON has no such numbers, they become `null`, as `JSON.stringify` writes them. */
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

/** The quotes that close a string which began with this one; empty if it is no quote. */
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
