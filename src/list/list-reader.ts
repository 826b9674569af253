import { wholeNumber } from "../text/check-number.js";

/** A synchronous reader of one list. It emits each item as soon as no further text can change the item. */
export interface ListReader {
  /** Whether a line here cannot be thinking, because it is part of a value. Default: false */
  readonly inValue?: boolean;
  /** @throws {ListError} at a bound, after it emitted the items before it */
  write(text: string): void;
  /**
   * Ends the text, and emits the items that were waiting for more.
   *
   * @throws {ListError} if the text ended where a list cannot end, after it emitted what is known of the open item
   */
  end(): void;
}

/** Creates the reader of one text. `offset`: the number of characters before that text. */
export type CreateListReader<Item> = (emit: (item: Item) => void, offset: number) => ListReader;

/** The bound of every list reader. */
export interface ListBound {
  /** How many UTF-16 code units one item may have in the source text. Default: 1,048,576. */
  readonly maxItemLength?: number;
}

const defaultMaxItemLength = 1024 * 1024;

/** @throws {RangeError} unless it is a whole number of 1 or more, or `Infinity` */
export function maxItemLengthOf({ maxItemLength = defaultMaxItemLength }: ListBound): number {
  return wholeNumber("maxItemLength", maxItemLength, 1);
}
