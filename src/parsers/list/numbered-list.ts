import { lineReader } from "../../list/line-reader.js";
import { numbers } from "../../list/markers.js";
import { listOutputParser, type ListOutputParser } from "./list-output-parser.js";
import type { ListItem, MarkedListParserOptions } from "./list-item.js";

/** An item of `numberedListParser({ nested: true })`. */
export interface NumberedListItem extends ListItem {
  /** As the model wrote it. */
  readonly number: number;
}

/**
 * Reads a numbered list, `1.` or `1)`. `.stream` gives each item at the end of its line, and not when the next one begins.
 *
 * An item begins its line with a number of at most nine digits, a full stop or a parenthesis, and white space; it may be
 * indented. Its text is the rest of the line, without white space around it. Where there is none, there is no item. All
 * other lines are skipped: prose, bullets, fences, blank lines. With `continuation`, those that are indented further than
 * the item above are more of it.
 *
 * @throws {OutputParserError} `truncated` if the output was cut; `invalid` if an item is too long, with a `ListError` as
 *   its `cause`. Its `value` has the items that were not handed out. An output without a list is an empty one.
 *
 * @example
 * ```ts
 * import { collect, from, numberedListParser, pipe } from "millrace";
 *
 * const chunks = ["Sure:\n\n1. Bo", "il water\n2.", " Pour\n   1) slowly\n"];
 * console.log(await collect(pipe(from(chunks), numberedListParser().stream)));
 * console.log(numberedListParser({ nested: true }).parse(chunks.join(""))[2]);
 * ```
 *
 * ```text prints
 * [ 'Boil water', 'Pour', 'slowly' ]
 * { text: 'slowly', depth: 1, number: 1 }
 * ```
 */
export function numberedListParser(
  options?: MarkedListParserOptions & { readonly nested?: false },
): ListOutputParser<string>;
export function numberedListParser(
  options: MarkedListParserOptions & { readonly nested: true },
): ListOutputParser<NumberedListItem>;
export function numberedListParser(
  options: MarkedListParserOptions = {},
): ListOutputParser<string> | ListOutputParser<NumberedListItem> {
  const instructions = options.instructions ?? asked;
  if (options.nested !== true) {
    return listOutputParser(instructions, lineReader(numbers, String, options), options.onTruncated);
  }
  const toItem = (text: string, depth: number, marker: string): NumberedListItem => ({
    text,
    depth,
    number: Number.parseInt(marker, 10),
  });
  return listOutputParser(instructions, lineReader(numbers, toItem, options), options.onTruncated);
}

const asked = `Answer with a numbered list and nothing else, each item on a line of its own. For example:
1. tea
2. milk
3. brown sugar`;
