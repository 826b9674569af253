import { patternReader } from "../../list/pattern-reader.js";
import { listOutputParser, type ListOutputParser, type ListParserBaseOptions } from "./list-output-parser.js";

/** The options of `listParser()`. */
export interface ListParserOptions<Item> extends ListParserBaseOptions {
  /** What an item is. Its flags `g` and `y` are of no matter: all matches are items, one behind the other. */
  readonly pattern: RegExp;
  /** What to give for a match. Default: its first capture group, or all of it where that has none. */
  readonly item?: (match: RegExpExecArray) => Item;
  /**
   * How many characters behind a match may decide whether it ends there: a match is certain when so many stand behind it,
   * or at the end of the output. 0 for an expression that ends with what closes an item, as a quote or a line feed; more
   * than 1 for one that looks further ahead. Default: 1, for one that goes on until it meets what it does not take.
   */
  readonly lookahead?: number;
  /** What to put into the prompt. Default: the expression, in one sentence. */
  readonly instructions?: string;
}

/**
 * Reads the matches of a regular expression, each as soon as it is certain; what may still grow is held back. An empty
 * match is no item, and text between matches is skipped.
 *
 * What is open is matched again when more arrives, and at most 64 characters of what came before it stay at hand for `^`,
 * `\b` and `(?<=…)`. Over 1,024 characters it is matched again whenever it has grown by an eighth, so that the cost is
 * linear; `maxItemLength` bounds it, that is a match, and the text between two of them.
 *
 * The items are the same for any chunks if what follows the `lookahead` characters behind a match can neither change it
 * nor let a match begin before it; docs/lists.md says which expressions are such.
 *
 * @throws {OutputParserError} `truncated` if the output was cut; `invalid` if the bound is reached, with a `ListError` as
 *   its `cause`. Its `value` has the items that were not handed out. An output without a match is an empty list.
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
  const { pattern, item = textOfMatch, instructions = askedFor(pattern), onTruncated } = options;
  return listOutputParser(instructions, patternReader(pattern, item, options), onTruncated);
}

function textOfMatch(match: RegExpExecArray): string {
  return match[1] ?? match[0];
}

function askedFor({ source }: RegExp): string {
  return `Answer with a list and nothing else. Each item must match the regular expression /${source}/.`;
}
