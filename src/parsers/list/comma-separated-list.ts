import { checkOptions } from "../../text/check-options.js";
import { commaReader } from "../../list/comma-reader.js";
import {
  listOptionNames,
  listOutputParser,
  type ListOutputParser,
  type ListParserBaseOptions,
} from "./list-output-parser.js";

/** The options of `commaSeparatedListParser()`. */
export type CommaSeparatedListParserOptions = ListParserBaseOptions;

/**
 * Reads items separated by commas or line ends. `.stream` yields one item, a string, at the comma or line end after it.
 *
 * An item that begins with a quote is quoted as in RFC 4180, section 2: it may contain commas and line ends, and `""`
 * is one quote. If other text than white space follows the closing quote, the item is not quoted and keeps its quotes,
 * like an item with quotes in the middle. White space around an item is dropped. Two commas in a row, or a comma at the
 * end, make no item; write `""` for an empty one. A Markdown fence on its own line is skipped. A JSON array is read
 * too: `["a", "b, c"]`.
 *
 * @throws {OutputParserError} `truncated` if the output was cut, or ends within quotes; `invalid` if an item is too
 *   long, or if there is text but no item, with a `ListError` as `cause`. Its `value` has the items that were not
 *   returned.
 *
 * @example
 * ```ts
 * import { collect, commaSeparatedListParser, from, pipe } from "millrace";
 *
 * const { stream } = commaSeparatedListParser();
 * console.log(await collect(pipe(from(["mill, ra", 'ce, "wheel, un', 'dershot",']), stream)));
 * ```
 *
 * ```text prints
 * [ 'mill', 'race', 'wheel, undershot' ]
 * ```
 */
export function commaSeparatedListParser(
  options: CommaSeparatedListParserOptions = {},
): ListOutputParser<string> {
  checkOptions("commaSeparatedListParser()", options, listOptionNames);
  return listOutputParser(defaultInstructions, commaReader(options), "an item", options);
}

const defaultInstructions = `Answer with a list of items, separated by commas, and nothing else: no prose, no Markdown.
Put an item that has a comma or a quote in it between double quotes, and double the quotes in it. For example:
tea, milk, "sugar, brown", a 5 o'clock tea`;
