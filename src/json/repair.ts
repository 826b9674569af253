/**
 * A repair and its place: `offset` counts UTF-16 code units of the whole text from 0. docs/reference/repair.md has an
 * example of each kind.
 */
export interface JsonRepair {
  readonly kind: JsonRepairKind;
  readonly offset: number;
}

/**
 * - `trailing_comma`, `extra_comma`, `missing_comma`: `[1,]`, `[1,,2]`, `[1 2]` and `[1; 2]`
 * - `missing_colon`, `missing_value`: `{"a" 1}`, `{"a" => 1}`, `{"a"：1}`, `{"a": }`
 * - `comment`: `// …`, `# …` or a block comment
 * - `white_space`: white space that JSON does not know, or a byte order mark
 * - `quote`: a string in single, smart or backtick quotes
 * - `inner_quote`: a quote inside a string that was not escaped
 * - `doubled_quote`: a string in two or three quotes on each side: `""a""`; or one that ends with two: `"a""`
 * - `missing_quote`: a string or key without its closing quote, before the next key, element or value
 * - `unquoted_key`, `unquoted_value`: `{name: hello}`
 * - `literal`: `True`, `False`, `None`, `undefined`, `NaN`, `Infinity` and the like
 * - `number`: `+1`, `.5`, `5.`, `0xFF`, `1_000`
 * - `control_character`: a raw line break or tab in a string
 * - `escape`: a backslash that does not begin a valid escape
 * - `escaped_document`: `{\"a\": 1}`
 * - `concatenation`: `"a" + "b"`
 * - `call`: `ObjectId("1")`
 * - `parentheses`: `(1, 2)` as an array, and `(1)` as its value
 * - `ellipsis`: `[1, 2, ...]`
 * - `stray_text`: a word before a key
 * - `doubled_opening`: `{{"a": 1}}`
 * - `missing_brackets`: `1, 2, 3` as the whole text
 * - `set`: `{"a", "b"}` as the whole text
 * - `missing_opening`: `["a": 1]`, or `"a": 1}` as the whole text
 * - `missing_closer`: a bracket was not closed before the end of the text, a fence, or the end of a bracket around it
 * - `wrong_closer`, `extra_closer`: `[1}`, `[{"a": 1}}, 2]`
 * - `extra_document`: with `extract`, a document that is not the result; it is ignored
 */
export type JsonRepairKind =
  | "trailing_comma"
  | "extra_comma"
  | "missing_comma"
  | "missing_colon"
  | "missing_value"
  | "comment"
  | "white_space"
  | "quote"
  | "inner_quote"
  | "doubled_quote"
  | "missing_quote"
  | "unquoted_key"
  | "unquoted_value"
  | "literal"
  | "number"
  | "control_character"
  | "escape"
  | "escaped_document"
  | "concatenation"
  | "call"
  | "parentheses"
  | "ellipsis"
  | "stray_text"
  | "doubled_opening"
  | "missing_brackets"
  | "missing_opening"
  | "set"
  | "missing_closer"
  | "wrong_closer"
  | "extra_closer"
  | "extra_document";
