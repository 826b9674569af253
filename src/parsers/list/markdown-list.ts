import { bullets } from "../../list/markers.js";
import type { ListOutputParser } from "./list-output-parser.js";
import {
  type ListItem,
  type MarkedList,
  type MarkedListParserOptions,
  markedListParser,
} from "./marked-list.js";

/**
 * Reads a bulleted list, such as `- tea` or `• milk`. `.stream` yields one item at the end of its line: a string, or a
 * `ListItem` with `nested: true`.
 *
 * An item is a line with a bullet, white space and text; it may be indented or quoted (`> `). The bullet is `-`, `*` or
 * `+`, a typographic one such as `•`, or a dash. The text is trimmed, and keeps its Markdown. All other lines are
 * skipped: prose, numbered items, fences, blank lines, rules (`---`, `* * *`). With `continuation`, lines that are
 * indented further than the item above belong to that item.
 *
 * @throws {OutputParserError} `truncated` if the output was cut; `invalid` if an item is too long, or if there is text
 *   but no item, with a `ListError` as `cause`. Its `value` has the items that were not returned.
 *
 * @example
 * ```ts
 * import { collect, from, markdownListParser, pipe } from "millrace";
 *
 * const chunks = ["- tea\n  - gre", "en\n  - black\n* mi", "lk"];
 * console.log(await collect(pipe(from(chunks), markdownListParser().stream)));
 * console.log(markdownListParser({ nested: true }).parse(chunks.join(""))[1]);
 * ```
 *
 * ```text prints
 * [ 'tea', 'green', 'black', 'milk' ]
 * { text: 'green', depth: 1 }
 * ```
 */
export function markdownListParser(
  options?: MarkedListParserOptions & { readonly nested?: false },
): ListOutputParser<string>;
export function markdownListParser(
  options: MarkedListParserOptions & { readonly nested: true },
): ListOutputParser<ListItem>;
export function markdownListParser(
  options: MarkedListParserOptions = {},
): ListOutputParser<string> | ListOutputParser<ListItem> {
  return markedListParser(markdownList, options);
}

const markdownList: MarkedList<ListItem> = {
  name: "markdownListParser()",
  markers: bullets,
  toItem: (text, depth) => ({ text, depth }),
  expected: 'an item that begins a line with a bullet, such as "- tea"',
  instructions: `Answer with a Markdown list and nothing else, each item on a line of its own. For example:
- tea
- milk
- brown sugar`,
};
