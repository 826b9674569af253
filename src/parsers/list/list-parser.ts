import { fieldOf } from "../../text/thrown.js";
import { checkOptions, type OptionNames, checkArgument } from "../../text/check-options.js";
import { patternReader } from "../../list/pattern-reader.js";
import {
  listOptionNames,
  listOutputParser,
  type ListOutputParser,
  type ListParserBaseOptions,
} from "./list-output-parser.js";

/** The options of `listParser()`. */
export interface ListParserOptions<Item> extends ListParserBaseOptions {
  /** Matches an item. The flags `g` and `y` are ignored: every match is an item. */
  readonly pattern: RegExp;
  /** Makes an item of a match. Default: the first capture group, or the whole match without one. */
  readonly item?: (match: RegExpExecArray) => Item;
  /**
   * How many characters after a match can change where it ends. A match is emitted when that many characters follow it,
   * or at the end of the output. Use 0 if the expression ends with a delimiter, such as a quote or a line feed; use
   * more than 1 if it looks further ahead. Default: 1, for an expression that matches up to the first character that it
   * does not accept.
   */
  readonly lookahead?: number;
}

/**
 * Reads the matches of a regular expression. `.stream` yields one item per match, as soon as `lookahead` characters
 * follow the match. Empty matches and the text between matches are skipped.
 *
 * The text after the last match is matched again when more arrives, and at most 64 characters before it are kept for
 * `^`, `\b` and `(?<=…)`. Over 1,024 characters, it is matched again only when it has grown by an eighth, which keeps
 * the cost linear. `maxItemLength` bounds each match, and the text between two matches.
 *
 * The items do not depend on the chunks if the text after those `lookahead` characters can neither change a match nor
 * make one begin earlier; docs/reference/text-and-lists.md says which expressions fulfil this.
 *
 * @throws {OutputParserError} `truncated` if the output was cut; `invalid` if the bound is reached, or if there is text
 *   but no match, with a `ListError` as `cause`. Its `value` has the items that were not returned.
 *
 * @example
 * ```ts
 * import { collect, from, listParser, pipe } from "millrace";
 *
 * const hashtags = listParser({ pattern: /#(\w+)/ });
 * console.log(await collect(pipe(from(["A #mi", "ll at the #ra", "ce"]), hashtags.stream)));
 * ```
 *
 * ```text prints
 * [ 'mill', 'race' ]
 * ```
 */
export function listParser(
  options: ListParserOptions<string> & { readonly item?: undefined },
): ListOutputParser<string>;
export function listParser<Item>(
  options: ListParserOptions<Item> & { readonly item: (match: RegExpExecArray) => Item },
): ListOutputParser<Item>;
export function listParser(options: ListParserOptions<unknown>): ListOutputParser<unknown> {
  checkOptions("listParser()", options, optionNames);
  const { pattern, item = textOfMatch } = options;
  checkArgument(
    "pattern of listParser()",
    "a RegExp",
    typeof fieldOf(pattern, "source") === "string",
    pattern,
  );
  return listOutputParser(
    instructionsFor(pattern),
    patternReader(pattern, item, options),
    `a match of /${pattern.source}/`,
    options,
  );
}

const optionNames = {
  ...listOptionNames,
  ...{ pattern: true, item: true, lookahead: true },
} satisfies OptionNames<ListParserOptions<unknown>>;

function textOfMatch(match: RegExpExecArray): string {
  return match[1] ?? match[0];
}

function instructionsFor({ source }: RegExp): string {
  return `Answer with a list and nothing else. Each item must match the regular expression /${source}/.`;
}
