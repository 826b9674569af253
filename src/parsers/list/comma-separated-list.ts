import { commaReader } from "../../list/comma-reader.js";
import { listOutputParser, type ListOutputParser, type ListParserBaseOptions } from "./list-output-parser.js";

/** The options of `commaSeparatedListParser()`. */
export interface CommaSeparatedListParserOptions extends ListParserBaseOptions {
  /** What to put into the prompt. Default: how the list is written, with an example. */
  readonly instructions?: string;
}

/**
 * Reads items between commas or line ends. `.stream` gives each at the comma or line end behind it, and not before.
 *
 * An item that begins with a quote is quoted as in RFC 4180, section 2: commas and line ends inside are its own, and `""`
 * is one quote. If something other than white space follows the closing quote, it was no quoted item after all, and its
 * quotes are kept, as those inside any other item are. White space around an item is left out; nothing is no item, as
 * behind a last comma, and `""` is the empty one. A Markdown fence in a line of its own is skipped.
 *
 * @throws {OutputParserError} `truncated` if the output was cut, or ends within quotes; `invalid` if an item is too long,
 *   with a `ListError` as its `cause`. Its `value` has the items that were not handed out.
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
  return listOutputParser(options.instructions ?? asked, commaReader(options), options.onTruncated);
}

const asked = `Answer with a list of items, separated by commas, and nothing else: no prose, no Markdown.
Put an item that has a comma or a quote in it between double quotes, and double the quotes in it. For example:
tea, milk, "sugar, brown", a 5 o'clock tea`;
