import { numberOf, numbers } from "../../list/markers.js";
import type { ListOutputParser } from "./list-output-parser.js";
import {
  type ListItem,
  type MarkedList,
  type MarkedListParserOptions,
  markedListParser,
} from "./marked-list.js";

/** An item of `numberedListParser({ nested: true })`. */
export interface NumberedListItem extends ListItem {
  /** The number that the model wrote. */
  readonly number: number;
}

/**
 * Reads a numbered list, such as `1. tea` or `**2)** milk`. `.stream` yields one item at the end of its line: a string,
 * or a `NumberedListItem` with `nested: true`.
 *
 * An item is a line with a number of at most nine digits, white space and text; it may be indented or quoted (`> `).
 * The number is written `1.`, `1)`, `(1)`, `1:` or `1\.`, perhaps in emphasis. The text is trimmed. All other lines are
 * skipped: prose, bullets, fences, blank lines. With `continuation`, lines that are indented further than the item
 * above belong to that item.
 *
 * The first item may follow a colon on its line, if its number is 1: `Sure: 1. tea`.
 *
 * @throws {OutputParserError} `truncated` if the output was cut; `invalid` if an item is too long, or if there is text
 *   but no item, with a `ListError` as `cause`. Its `value` has the items that were not returned.
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
  return markedListParser(numberedList, options);
}

const numberedList: MarkedList<NumberedListItem> = {
  name: "numberedListParser()",
  markers: numbers,
  toItem: (text, depth, marker) => ({ text, depth, number: numberOf(marker) }),
  expected: 'an item that begins a line with a number, such as "1. tea"',
  instructions: `Answer with a numbered list and nothing else, each item on a line of its own. For example:
1. tea
2. milk
3. brown sugar`,
};
