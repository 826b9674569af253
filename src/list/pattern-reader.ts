import { wholeNumber } from "../text/check-number.js";
import { quoted } from "../text/cut.js";
import { ListError } from "./errors.js";
import { type CreateListReader, type ListBound, type ListReader, maxItemLengthOf } from "./list-reader.js";

/** The options of `patternReader()`. */
export interface PatternReaderOptions extends ListBound {
  /**
   * How many characters after a match can change it. Default: 1, for an expression that matches up to the first
   * character that it does not accept. Use 0 if the expression ends with a delimiter, such as a quote; use more if it
   * looks further ahead.
   */
  readonly lookahead?: number;
}

/**
 * Emits each match of a regular expression as soon as `lookahead` characters follow it. When more text arrives, the
 * text after the last match is matched again; of the text before it, only what the expression may look back on is kept.
 */
export function patternReader<Item>(
  pattern: RegExp,
  toItem: (match: RegExpExecArray) => Item,
  options: PatternReaderOptions,
): CreateListReader<Item> {
  const rules = {
    toItem,
    maxItemLength: maxItemLengthOf(options),
    lookahead: wholeNumber("lookahead", options.lookahead ?? 1, 0),
  };
  const flags = `${pattern.flags.replace(/[gy]/g, "")}g`;
  // Each text gets its own expression, because `lastIndex` is state.
  return (emit, offset) => new PatternReader(rules, emit, new RegExp(pattern.source, flags), offset);
}

interface PatternRules<Item> extends Required<PatternReaderOptions> {
  readonly toItem: (match: RegExpExecArray) => Item;
}

class PatternReader<Item> implements ListReader {
  private readonly rules: PatternRules<Item>;
  private readonly emit: (item: Item) => void;
  private readonly pattern: RegExp;

  /** The end of the text so far: the text after the last match, and before it what the expression may look back on. */
  private window = "";
  /** The offset in the window of the text after the last match. */
  private open = 0;
  /** The offset of the window in the whole text. */
  private offset: number;
  /** The length of the window when it was last searched. */
  private searched = 0;
  private count = 0;

  constructor(rules: PatternRules<Item>, emit: (item: Item) => void, pattern: RegExp, offset: number) {
    this.rules = rules;
    this.emit = emit;
    this.pattern = pattern;
    this.offset = offset;
  }

  write(text: string): void {
    const { lookahead, maxItemLength } = this.rules;
    this.window += text;
    const length = this.window.length - this.open;
    if (length > SHORT && (this.window.length - this.searched) * GROWTH < length) return;
    this.search(this.window.length - lookahead);
    // Neither a match nor the text before one may be longer than the bound, and here both together are.
    if (this.window.length - this.open > 2 * maxItemLength + lookahead) this.fail();
  }

  end(): void {
    this.search(this.window.length);
    if (this.window.length - this.open > this.rules.maxItemLength) this.fail();
  }

  /** @param limit a match that ends after it can still change */
  private search(limit: number): void {
    const { pattern, window } = this;
    const { toItem, maxItemLength } = this.rules;
    pattern.lastIndex = this.open;
    for (let match = pattern.exec(window); match !== null; match = pattern.exec(window)) {
      const { index } = match;
      const { length } = match[0];
      if (index + length > limit) break;
      if (length === 0) {
        // An empty match is not an item. With the flag `u` or `v`, an index inside a surrogate pair means its start.
        const isPair = (window.codePointAt(index) ?? 0) > 0xffff && /[uv]/.test(pattern.flags);
        pattern.lastIndex = index + (isPair ? 2 : 1);
        continue;
      }
      if (index - this.open > maxItemLength || length > maxItemLength) this.fail();
      this.open = index + length;
      this.count++;
      this.emit(toItem(match));
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
    const { window, open, count } = this;
    const { maxItemLength } = this.rules;
    const offset = this.offset + open;
    const found = quoted(window.slice(open, open + maxItemLength + 1), Math.min(40, maxItemLength));
    const message =
      `Expected the expression to match item ${count + 1} within ${maxItemLength} characters (maxItemLength), but found ` +
      `no match, or a longer one, after offset ${offset}: ${found}.`;
    throw new ListError("max_item_length", message, { item: count, offset });
  }
}

/**
 * Text up to this length is matched again with each chunk. Longer text is matched again when an eighth of it is new,
 * which bounds the cost per character.
 */
const SHORT = 1024;
const GROWTH = 8;

/** How many characters before the open text are kept for `^`, `\b` and `(?<=…)`. */
const LOOK_BEHIND = 64;
