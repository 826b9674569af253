import { lineReader, type ToItem } from "../../list/line-reader.js";
import type { Markers } from "../../list/markers.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import {
  listOptionNames,
  listOutputParser,
  type ListOutputParser,
  type ListParserBaseOptions,
} from "./list-output-parser.js";

/** An item of a list whose items may be nested. */
export interface ListItem {
  readonly text: string;
  /** How many items are around it: 0 for the outermost. A nested item is indented by at least two more columns. */
  readonly depth: number;
}

/** The options of the lists whose items begin with a marker. */
export interface MarkedListParserOptions extends ListParserBaseOptions {
  /**
   * Whether items are objects with their depth. They come in the order of the output, so an item does not wait for the
   * items inside it. Default: false, items are strings of any depth.
   */
  readonly nested?: boolean;
  /**
   * Whether the lines below an item that have no marker and are indented further belong to it. They are added with line
   * feeds and without their indentation, including blank lines between them. An item is then complete only when the
   * next line that does not belong to it has begun. Default: false, these lines are skipped.
   */
  readonly continuation?: boolean;
}

const markedListOptionNames: OptionNames<MarkedListParserOptions> = {
  ...listOptionNames,
  nested: true,
  continuation: true,
};

/** The differences between the lists whose items begin with a marker. */
export interface MarkedList<Item> {
  /** The name of the function, for errors. */
  readonly name: string;
  readonly markers: Markers;
  /** Makes an item, with `nested`. */
  readonly toItem: ToItem<Item>;
  /** The form of an item, for errors. */
  readonly expected: string;
  /** The default instructions. */
  readonly instructions: string;
}

export function markedListParser<Item>(
  { name, markers, toItem, expected, instructions }: MarkedList<Item>,
  options: MarkedListParserOptions,
): ListOutputParser<string> | ListOutputParser<Item> {
  checkOptions(name, options, markedListOptionNames);
  const parserOf = <Out>(create: ToItem<Out>): ListOutputParser<Out> => {
    const reader = lineReader(markers, create, options);
    return listOutputParser(instructions, reader, expected, options);
  };
  return options.nested === true ? parserOf(toItem) : parserOf(String);
}
