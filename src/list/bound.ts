import { wholeNumber } from "../stream/numbers.js";

/** The bound that every list has. */
export interface ListBound {
  /** How many UTF-16 code units one item may have, as it is written. Default: 1,048,576. */
  readonly maxItemLength?: number;
}

const defaultMaxItemLength = 1024 * 1024;

/** @throws {RangeError} unless it is a whole number of 1 or more, or `Infinity` */
export function maxItemLengthOf({ maxItemLength = defaultMaxItemLength }: ListBound): number {
  return wholeNumber("maxItemLength", maxItemLength, 1);
}
