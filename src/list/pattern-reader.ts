import { wholeNumber } from "../stream/numbers.js";
import { type ListBound, maxItemLengthOf } from "./bound.js";
import { excerpt, ListError } from "./errors.js";
import type { CreateListReader, ListReader } from "./list-reader.js";

/** The options of `patternReader()`. */
export interface PatternReaderOptions extends ListBound {
  /**
   * How many characters behind a match may decide about it. Default: 1, as for an expression that goes on until it meets
   * a character that it does not take. 0 is for one that ends with what closes an item, as a quote; more is for one that
   * looks further ahead.
   */
  readonly lookahead?: number;
}

/**
 * Gives each match of a regular expression as soon as `lookahead` characters stand behind it. What stands behind the last
 * match that was given is matched again when more arrives, and nothing before it but what the expression may look back
 * on.
 */
export function patternReader<Item>(
  pattern: RegExp,
  toItem: (match: RegExpExecArray) => Item,
  options: PatternReaderOptions = {},
): CreateListReader<Item> {
  const maxItemLength = maxItemLengthOf(options);
  const lookahead = wholeNumber("lookahead", options.lookahead ?? 1, 0);
  const flags = `${pattern.flags.replace(/[gy]/g, "")}g`;
  // An expression of its own for each text, as it has a state: where it looks on.
  return (emit, offset = 0) =>
    new PatternReader(emit, new RegExp(pattern.source, flags), toItem, lookahead, maxItemLength, offset);
}

class PatternReader<Item> implements ListReader {
  private readonly emit: (item: Item) => void;
  private readonly pattern: RegExp;
  private readonly toItem: (match: RegExpExecArray) => Item;
  private readonly lookahead: number;
  private readonly maxItemLength: number;

  /** The end of the text so far: what is open, and before it what the expression may look back on. */
  private window = "";
  /** Where what is open begins in the window. */
  private open = 0;
  /** Where the window begins in the whole text. */
  private offset: number;
  /** How long the window was when it was last looked through. */
  private searched = 0;
  private count = 0;

  constructor(
    emit: (item: Item) => void,
    pattern: RegExp,
    toItem: (match: RegExpExecArray) => Item,
    lookahead: number,
    maxItemLength: number,
    offset: number,
  ) {
    this.emit = emit;
    this.pattern = pattern;
    this.toItem = toItem;
    this.lookahead = lookahead;
    this.maxItemLength = maxItemLength;
    this.offset = offset;
  }

  write(text: string): void {
    this.window += text;
    const length = this.window.length - this.open;
    if (length > SHORT && (this.window.length - this.searched) * GROWTH < length) return;
    this.search(this.window.length - this.lookahead);
    // No match within it could be as near and as short as the bound wants, also none that is not complete yet.
    if (this.window.length - this.open > 2 * this.maxItemLength + this.lookahead) this.fail();
  }

  end(): void {
    this.search(this.window.length);
    if (this.window.length - this.open > this.maxItemLength) this.fail();
  }

  /** @param limit a match that ends behind it may still change */
  private search(limit: number): void {
    const { pattern, window } = this;
    pattern.lastIndex = this.open;
    for (let match = pattern.exec(window); match !== null; match = pattern.exec(window)) {
      const { index } = match;
      const { length } = match[0];
      if (index + length > limit) break;
      if (length === 0) {
        pattern.lastIndex++; // nothing is no item
        continue;
      }
      if (index - this.open > this.maxItemLength || length > this.maxItemLength) this.fail();
      this.open = index + length;
      this.count++;
      this.emit(this.toItem(match));
    }
    const unneeded = this.open - LOOK_BEHIND;
    if (unneeded > 0) {
      this.window = window.slice(unneeded);
      this.offset += unneeded;
      this.open = LOOK_BEHIND;
    }
    this.searched = this.window.length;
  }

  private fail(): never {
    const { window, open, count, maxItemLength } = this;
    const offset = this.offset + open;
    const message =
      `Expected the expression to match item ${count + 1} within ${maxItemLength} characters (maxItemLength), but from ` +
      `offset ${offset} on there is more without one, or it is longer: ${excerpt(window.slice(open))}.`;
    throw new ListError("max_item_length", message, { item: count, offset });
  }
}

/**
 * What is open is matched again with each chunk as long as it is no longer than this. Beyond that, it is matched again
 * when an eighth of it is new: so that the cost for each character is bounded, however long it gets.
 */
const SHORT = 1024;
const GROWTH = 8;

/** How much of the text before what is open is kept for `^`, `\b` and `(?<=…)`. */
const LOOK_BEHIND = 64;
