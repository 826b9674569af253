import { lineReader } from "../../list/line-reader.js";
import { bullets } from "../../list/markers.js";
import { listOutputParser, type ListOutputParser } from "./list-output-parser.js";
import type { ListItem, MarkedListParserOptions } from "./list-item.js";

/**
 * Reads a bulleted list, `-`, `*` or `+`. `.stream` gives each item at the end of its line, and not when the next one
 * begins.
 *
 * An item begins its line with a bullet and white space; it may be indented. Its text is the rest of the line, without
 * white space around it, with the Markdown in it. Where there is none, there is no item. All other lines are skipped:
 * prose, numbered items, fences, blank lines, rules (`---`, `* * *`). With `continuation`, those that are indented further
 * than the item above are more of it.
 *
 * @throws {OutputParserError} `truncated` if the output was cut; `invalid` if an item is too long, with a `ListError` as
 *   its `cause`. Its `value` has the items that were not handed out. An output without a list is an empty one.
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
  const instructions = options.instructions ?? asked;
  if (options.nested !== true) {
    return listOutputParser(instructions, lineReader(bullets, String, options), options.onTruncated);
  }
  const toItem = (text: string, depth: number): ListItem => ({ text, depth });
  return listOutputParser(instructions, lineReader(bullets, toItem, options), options.onTruncated);
}

const asked = `Answer with a Markdown list and nothing else, each item on a line of its own. For example:
- tea
- milk
- brown sugar`;
