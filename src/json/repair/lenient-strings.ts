import { Kind } from "../build/kinds.js";
import { BACKTICK, isKeyCharacter } from "../extract/characters.js";
import type { JsonParseError, JsonParseErrorCode } from "../errors.js";
import type { JsonParserOptions } from "../options.js";
import {
  BACKSLASH,
  COLON,
  COMMA,
  endOfPlainText,
  isDigit,
  isSpace,
  LINE_FEED,
  QUOTE,
  SPACE,
} from "../scan/characters.js";
import type { ScanTarget } from "../scan/scanner.js";
import { ESCAPE, isInString, isInToken, QUOTED, STRING } from "../scan/states.js";
import { DeferringScanner, mayBeTail } from "./deferring-scanner.js";
import { LookAhead } from "./look-ahead.js";
import { closingQuotes, isOtherQuote } from "./quotes.js";
import type { JsonRepair, JsonRepairKind } from "./repair.js";
import { pastSpace, startOfSpace, startOfSpaces } from "./spaces.js";
import {
  type Answer,
  type Doubt,
  IN_QUOTATION,
  isCloser,
  isOpener,
  NO_DOUBT,
  QUOTED_BEFORE,
} from "./text-ahead.js";

/**
 * Reads strings and keys in any quotes, with quotes and control characters inside. At a quote the text ahead decides
 * whether it ends the string.
 */
export abstract class LenientStrings extends DeferringScanner {
  private looking: LookAhead | undefined;
  private readonly onRepair: ((repair: JsonRepair) => void) | undefined;
  private readonly isGuarded: boolean;
  protected truncated = false;

  /** The quotes that may close the open string. */
  protected closers = '"';
  /** The last character of the open string that was read; a space after an escape. */
  protected previous: number = NOTHING;
  /** Whether there was a backslash in the open string. */
  protected sawEscape = false;
  /** The number of quotes inside the open string. */
  private innerQuotes = 0;
  /** Whether the last of them opened a quotation. */
  private inQuotation = false;
  /** The number of further opening quotes, as many of which must close the string: `""a""`, `"""a"""`. */
  private moreQuotes = 0;
  /** Whether the open string may be the key of an object without its opening bracket: `["a": 1]`. */
  private mayBeKey = false;
  /** Whether the spaces at the end are too many to withhold. */
  private showsSpaces = false;
  /** The number of open brackets in the string, from one directly before an inner quote on: `as in {"a": [1]}`. */
  private brackets = 0;

  constructor(
    options: JsonParserOptions,
    target: ScanTarget,
    proseAfter?: (text: string, offset: number) => void,
  ) {
    super(options, target, proseAfter);
    this.onRepair = options.onRepair;
    this.isGuarded = options.guard !== undefined;
  }

  /** Created when it is needed: clean text needs none. */
  protected get ahead(): LookAhead {
    return (this.looking ??= new LookAhead(this.nesting, this.handler, this.lookAhead));
  }

  override finish(truncated: boolean): boolean {
    this.truncated = truncated;
    const isDone = super.finish(truncated);
    if (isInToken(this.state) && isInString(this.state)) this.keepToken();
    return isDone;
  }

  /**
   * The guard checks an open string before a repair in it is reported, so that the reports do not depend on the chunks.
   */
  protected report(kind: JsonRepairKind, offset: number): void {
    if (this.onRepair === undefined) return;
    if (this.isGuarded && !this.inKey && isInString(this.state)) this.keepToken();
    this.onRepair({ kind, offset });
  }

  protected override beginString(isKey: boolean, state: typeof STRING | typeof QUOTED, read: string): void {
    super.beginString(isKey, state, read);
    this.stringState = state;
    this.closers = '"';
    this.previous = read === "" ? NOTHING : read.charCodeAt(read.length - 1);
    this.sawEscape = false;
    this.innerQuotes = 0;
    this.inQuotation = false;
    this.moreQuotes = 0;
    this.brackets = 0;
    this.showsSpaces = false;
    this.mayBeKey = !isKey && this.isFirstElement;
  }

  /** Whether the string is the first element of an array that may have objects. */
  private get isFirstElement(): boolean {
    const { nesting, handler } = this;
    return nesting.inArray && nesting.children === 0 && handler.allowsElement?.(Kind.OBJECT) !== false;
  }

  protected override showString(value: string): void {
    this.showsSpaces = false;
    if (!this.isFirstElement || !isWord(value)) super.showString(value);
  }

  /** A word at the start of an array is not shown while it may be a key. */
  protected override keepToken(): void {
    this.mayBeKey &&= isInString(this.state) && !this.ended && isWord(this.textSoFar);
    if (!this.mayBeKey) super.keepToken();
    else {
      this.token += this.fresh;
      this.fresh = "";
    }
  }

  /**
   * Up to `lookAhead` spaces at the end are not part of a string whose closing quote turns out to be missing. More are
   * shown: holding them takes quadratic time.
   */
  protected override restOf(fresh: string): string {
    const start = this.inKey ? fresh.length : this.startOfWithheld(fresh);
    return start < fresh.length ? fresh.slice(start) : super.restOf(fresh);
  }

  private startOfWithheld(fresh: string): number {
    const start = startOfSpaces(fresh);
    if (start > 0) this.showsSpaces = false;
    this.showsSpaces ||= fresh.length - start > this.lookAhead;
    return this.showsSpaces ? fresh.length : start;
  }

  protected override readPlain(text: string): boolean {
    const end = startOfSpaces(text);
    if (this.mayBeKey || this.brackets > 0 || end === 0 || text.length - end > this.lookAhead) return false;
    if (mayBeTail(text.charCodeAt(end - 1))) return false;
    if (!super.readPlain(text.slice(0, end))) return false;
    this.fresh = text.slice(end);
    this.showsSpaces = false;
    this.previous = text.charCodeAt(text.length - 1);
    return true;
  }

  override fail(code: JsonParseErrorCode, problem: string, i: number, expected: string): JsonParseError {
    this.mayBeKey = false;
    return super.fail(code, problem, i, expected);
  }

  protected openQuoted(text: string, i: number, isKey: boolean): number {
    this.report("quote", this.position.offset + i);
    this.beginString(isKey, QUOTED, "");
    this.closers = closingQuotes(text.charAt(i));
    return i + 1;
  }

  protected override continueString(text: string, from: number, end = -1): number {
    let start = from;
    let i = end < 0 ? this.endOfText(text, start) : end;
    const { length } = text;
    if (i === length && i > start) {
      // The usual chunk of a long string.
      const last = text.charCodeAt(i - 1);
      if (this.brackets === 0 && (this.inKey || !mayBeTail(last))) {
        this.fresh += text.slice(start);
        this.previous = last;
        return i;
      }
    }
    if (i < length && text.charCodeAt(i) === QUOTE && this.innerQuotes === 0 && this.moreQuotes === 0) {
      const ends = this.isEndOfString(text, i + 1, this.inKey);
      if (ends !== false) {
        this.fresh += text.slice(start, i);
        if (ends === true) {
          this.endString(this.wholeToken(), this.fresh, this.inKey);
          return i + 1;
        }
        if (i > start) this.previous = text.charCodeAt(i - 1);
        return this.wait(this.stringState, text, i);
      }
    }
    let raw = false;
    while (i < length && text.charCodeAt(i) < SPACE) {
      if (this.inKey) {
        this.take(text, start, i, raw);
        const next = this.atLineOfKey(text, i);
        if (next !== i) return next;
        start = i;
      }
      raw = true;
      i = this.endOfText(text, i + 1);
    }
    if (i < length && text.charCodeAt(i) === BACKSLASH) {
      this.take(text, start, i, raw);
      this.previous = SPACE;
      this.sawEscape = true;
      this.state = ESCAPE;
      return i + 1;
    }
    // The string may have ended before ", ", so that is not shown before the next character.
    const hasTail = i > start && !this.inKey && mayBeTail(text.charCodeAt(i - 1)) && this.nesting.depth > 0;
    const tail = hasTail ? this.startOfTail(text, start, i) : i;
    this.take(text, start, tail, raw);
    if (i < length) return this.atQuote(text, start, tail, i, raw);
    if (tail === i) return i;
    if (!this.ended) return this.hold(text, tail);
    const closers = this.truncated ? -1 : this.startOfClosers(text, tail);
    this.take(text, tail, closers < 0 ? i : closers, raw);
    return closers < 0 ? i : this.endAt(text, closers);
  }

  /** The string ends before this place, where its closing quote is missing or another quote. */
  private endAt(text: string, i: number): number {
    if (isOtherQuote(text.charCodeAt(i))) {
      this.report("quote", this.position.offset + i);
      this.endString(this.wholeToken(), this.fresh, false);
      return i + 1;
    }
    this.report("missing_quote", this.position.offset + i);
    this.fresh = this.fresh.slice(0, this.startOfWithheld(this.fresh));
    this.endString(this.wholeToken(), this.fresh, false);
    return i;
  }

  /** Returns the index of the next quote, backslash or control character, or the length of the text. */
  private endOfText(text: string, start: number): number {
    if (this.stringState === STRING) return endOfPlainText(text, start);
    let i = start;
    for (; i < text.length; i++) {
      const character = text.charCodeAt(i);
      if (character === BACKSLASH || character < SPACE || this.closers.includes(text.charAt(i))) break;
    }
    return i;
  }

  /**
   * Returns where the text begins that may not be part of the string: a comma, closing brackets, white space with a
   * line feed, and before them a quote of another kind. Returns `end` if no such text precedes it.
   */
  private startOfTail(text: string, start: number, end: number): number {
    let tail = end;
    let sawComma = false;
    for (let i = end; i > start && end - i < this.lookAhead - 1;) {
      const character = text.charCodeAt(--i);
      if (isOtherQuote(character)) return i;
      if (character === COMMA && !sawComma) sawComma = true;
      else if (isCloser(character) || character === LINE_FEED) {
        if (sawComma) continue;
      } else if (isSpace(character) || character === BACKTICK) continue;
      else break;
      tail = i;
    }
    return tail;
  }

  /** Whether the quote at the start of the tail closes the string: it is the only one of its kind in it. */
  private closesOther(text: string, tail: number): boolean {
    if (!isOtherQuote(text.charCodeAt(tail)) || this.closers !== '"' || this.innerQuotes > 0) return false;
    return !this.textSoFar.includes(text.charAt(tail));
  }

  /** Returns where the string ended before the quote at `i`, which begins the next element or key; -1 if it did not. */
  private missedEnd(text: string, tail: number, i: number, doubt: Doubt): number | undefined {
    const { nesting } = this;
    let { depth } = nesting;
    let next = isOtherQuote(text.charCodeAt(tail)) ? pastSpace(text, tail + 1) : tail;
    const closes = next < i && this.closesOther(text, tail);
    while (closes && depth > 1 && text.charAt(next) === (nesting.isArray(depth) ? "]" : "}")) {
      depth--;
      next = pastSpace(text, next + 1);
    }
    if (text.charCodeAt(next) !== COMMA) return -1;
    const misses = this.ahead.missesQuote(i, depth, doubt);
    if (misses === undefined) return undefined;
    return misses ? (closes ? tail : next) : -1;
  }

  /**
   * The text has ended in a string. Returns where the brackets at its end begin, which close all open containers, maybe
   * before a fence: `{"a": "b}`. -1 if another element or key, or the end of a quotation, may be in the string.
   */
  private startOfClosers(text: string, tail: number): number {
    const { nesting } = this;
    const may = nesting.inArray ? /,/ : /[,}]\s*"?[\w$-]+"?\s*:/;
    if (this.innerQuotes % 2 === 1 || may.test(this.textSoFar)) return -1;
    const rest = text.slice(tail).replace(/\s*`{3}\s*$/, "");
    let i = rest.length;
    for (let depth = 1; depth <= nesting.depth; depth++) {
      i = rest.slice(0, i).trimEnd().length - 1;
      if (rest.charAt(i) !== (nesting.isArray(depth) ? "]" : "}")) return -1;
    }
    const before = rest.slice(0, i).trimEnd();
    if (before.length === 1 && this.closesOther(text, tail)) return tail;
    return /^['’”]?[)\s]*$/.test(before) ? tail + before.length : -1;
  }

  /** At a quote in a key. */
  protected abstract atQuoteOfKey(text: string, start: number, i: number): number;

  /** At a control character in a key. Returns the same index if the key continues. */
  protected abstract atLineOfKey(text: string, i: number): number;

  /** Adds a part of the chunk to the open string. */
  private take(text: string, start: number, end: number, raw: boolean): void {
    if (start === end) return;
    this.previous = text.charCodeAt(end - 1);
    this.brackets = this.bracketsAfter(text, start, end);
    let from = start;
    for (let i = start; raw && i < end; i++) {
      const character = text.charCodeAt(i);
      if (character >= SPACE) continue;
      this.fresh += text.slice(from, i);
      from = i;
      this.report("control_character", this.position.offset + i);
      if (character === LINE_FEED) this.position.newLine(i);
    }
    this.fresh += text.slice(from, end);
  }

  /** The number of open brackets after this part of the chunk. */
  private bracketsAfter(text: string, start: number, end: number): number {
    let { brackets } = this;
    for (let i = start; brackets > 0 && i < end; i++) {
      const character = text.charCodeAt(i);
      if (isOpener(character)) brackets++;
      else if (isCloser(character)) brackets--;
    }
    return brackets;
  }

  /** At a quote that may end the string. The text up to `tail` was taken. */
  private atQuote(text: string, start: number, tail: number, i: number, raw: boolean): number {
    const { ahead, nesting } = this;
    const { depth } = nesting;
    if (depth === 0) return this.atQuoteOfRoot(text, i);
    if (this.inKey) return this.atQuoteOfKey(text, start, i);
    const doubt = this.doubt;
    ahead.begin(text, i, this.ended, doubt);
    const part = doubt === NO_DOUBT ? ahead.nextPart(i + 1, nesting.inArray) : 0;
    if (part === undefined) return this.hold(text, tail);
    if (part > 0) {
      this.take(text, tail, i, raw);
      return this.joinPart(text, i, part);
    }
    const after = this.afterQuote(text, i);
    if (after === undefined) return this.hold(text, tail);
    this.mayBeKey &&= isWord(this.textSoFar);
    if (this.mayBeKey) {
      const isKey = ahead.isNext(after, COLON);
      if (isKey === undefined) return this.hold(text, tail);
      if (isKey) return this.openObjectAt(i, after);
    }
    const inBrackets = this.bracketsAfter(text, tail, i) > 0;
    const ends = inBrackets ? false : this.endsAtQuote(text, start, i, after);
    if (ends === undefined) return this.hold(text, tail);
    if (ends) {
      // A line feed before the closing quote is not part of the text.
      const space = startOfSpace(text, tail, i);
      const isLine = text.slice(space, i).includes("\n");
      this.take(text, tail, isLine ? space : i, raw);
      if (isLine) this.dropSpace(text, space, i);
      this.endString(this.wholeToken(), this.fresh, false);
      return after;
    }
    const isDoubled = this.isDoubledEnd(text, start, i, after, doubt);
    if (isDoubled === undefined) return this.hold(text, tail);
    if (isDoubled) {
      this.take(text, tail, i, raw);
      this.report("doubled_quote", this.position.offset + after);
      this.endString(this.wholeToken(), this.fresh, false);
      return after + 1;
    }
    const missed = tail < i && !inBrackets ? this.missedEnd(text, tail, i, doubt) : -1;
    if (missed === undefined) return this.hold(text, tail);
    if (missed >= 0) {
      this.take(text, tail, missed, raw);
      return this.endAt(text, missed);
    }
    if (this.isFirst(start, i)) return this.openDoubled(i);
    const left = this.characterBefore(text, start, i);
    this.take(text, tail, i, raw);
    this.keepQuote(text, i);
    this.innerQuotes++;
    if (this.inQuotation) this.inQuotation = false;
    else this.inQuotation = !isKeyCharacter(left) && left !== QUOTE;
    if (this.brackets === 0 && isOpener(left)) this.brackets = 1;
    return i + 1;
  }

  /** The first string in an array is the key of an object whose opening bracket is missing. */
  private openObjectAt(i: number, after: number): number {
    const key = this.wholeToken();
    this.inKey = true;
    this.report("missing_opening", this.position.offset + i - key.length - 1);
    this.open(i, true);
    this.endString(key, "", true);
    return after;
  }

  /** Whether the string ends with two quotes: `"a""`. After a number the first of them means inches. */
  private isDoubledEnd(text: string, start: number, i: number, after: number, doubt: Doubt): Answer {
    if (doubt !== NO_DOUBT || this.moreQuotes > 0 || !this.closers.includes(text.charAt(after))) return false;
    const left = this.characterBefore(text, start, i);
    if (after >= text.length || left === NOTHING || isDigit(left)) return false;
    return this.ahead.continuesAfterValue(after + 1, this.nesting.depth, QUOTED_BEFORE);
  }

  /** Whether the string ends at the quote at `i`. `after`: the index after the closing quotes. */
  private endsAtQuote(text: string, start: number, i: number, after: number): Answer {
    const { ahead, nesting, doubt } = this;
    const ends = ahead.continuesAfterValue(after, nesting.depth, doubt);
    // "one" two: the quote after a letter opens no quotation. But 'the boys' and 5" are part of the text.
    if (ends !== false || doubt !== NO_DOUBT || text.charCodeAt(i) !== QUOTE) return ends;
    if (!isKeyCharacter(this.characterBefore(text, start, i))) return false;
    const isInch = /(?:^|[^\w])\d+$/.test(this.textSoFar.slice(-16));
    return !isInch && ahead.isBeforeStrayWord(after, nesting.depth);
  }

  protected characterBefore(text: string, start: number, i: number): number {
    return i > start ? text.charCodeAt(i - 1) : this.previous;
  }

  /** Returns the index after the quote that may end the string, or after as many quotes as it began with. */
  protected afterQuote(text: string, i: number): number | undefined {
    let end = i + 1;
    while (end <= i + this.moreQuotes && end < text.length && this.closers.includes(text.charAt(end))) end++;
    return end === text.length && end <= i + this.moreQuotes && !this.ended ? undefined : end;
  }

  /** Whether the quote follows the opening quotes directly, so it may be one of them. */
  protected isFirst(start: number, i: number): boolean {
    return i === start && this.previous === NOTHING && this.moreQuotes < 2;
  }

  protected dropSpace(text: string, start: number, end: number): void {
    this.report("control_character", this.position.offset + start);
    this.position.newLines(text, start, end);
  }

  private get doubt(): Doubt {
    if (this.innerQuotes === 0) return NO_DOUBT;
    return this.inQuotation ? IN_QUOTATION : QUOTED_BEFORE;
  }

  /** A quote directly after the opening quote, which does not end the string: `""a""`. */
  protected openDoubled(i: number): number {
    this.report("doubled_quote", this.position.offset + i);
    this.moreQuotes++;
    return i + 1;
  }

  protected keepQuote(text: string, i: number): void {
    this.report("inner_quote", this.position.offset + i);
    this.fresh += text.charAt(i);
    this.previous = text.charCodeAt(i);
  }

  /** The string continues with the next part: `"a" + "b"`. */
  private joinPart(text: string, i: number, part: number): number {
    this.report("concatenation", this.position.offset + i);
    this.position.newLines(text, i, part);
    this.stringState = text.charCodeAt(part) === QUOTE ? STRING : QUOTED;
    this.closers = closingQuotes(text.charAt(part));
    this.previous = SPACE;
    this.state = this.stringState;
    return part + 1;
  }

  /** A string that is the whole document ends with the text. */
  private atQuoteOfRoot(text: string, i: number): number {
    const after = pastSpace(text, i + 1);
    if (after - i < this.lookAhead) {
      if (after < text.length) {
        this.keepQuote(text, i);
        return i + 1;
      }
      if (!this.ended) return this.hold(text, i);
    }
    this.endString(this.wholeToken(), this.fresh, false);
    return i + 1;
  }
}

const NOTHING = -1;

/** Whether the first string in an array may be a key. Longer ones are not. */
function isWord(text: string): boolean {
  return text.length < 65 && /^[\w$-]*$/.test(text);
}
