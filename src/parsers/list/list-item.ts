import type { ListParserBaseOptions } from "./list-output-parser.js";

/** An item of a list that may stand inside another one. */
export interface ListItem {
  readonly text: string;
  /** How many items it stands inside: 0 for the outermost. One inside another is indented by two columns more at least. */
  readonly depth: number;
}

/** The options of the lists whose items begin with a marker. */
export interface MarkedListParserOptions extends ListParserBaseOptions {
  /** What to put into the prompt. Default: how the list is written, with an example. */
  readonly instructions?: string;
  /**
   * Give items that say how deep they stand, one after the other as they are written: an item does not wait for those
   * inside it. Default: false, the texts alone, of whatever depth.
   */
  readonly nested?: boolean;
  /**
   * Take the lines below an item that are indented further than it, and are no items, as more of its text: with a line
   * feed before each, without their indentation, blank lines between them included. An item is then certain only when
   * something else has begun. Default: false, they are skipped.
   */
  readonly continuation?: boolean;
}
