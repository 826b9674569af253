import { isBlank, isKeyCharacter, LESS } from "../extract/characters.js";
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PARENTHESIS,
  COLON,
  COMMA,
  HASH,
  isDigit,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PARENTHESIS,
  SLASH,
  STAR,
} from "../scan/characters.js";
import { isSimpleWord } from "./bare-value.js";
import { closingQuotes } from "./quotes.js";

/** The answer to a question about the text ahead; `undefined` if more text is needed. */
export type Answer = boolean | undefined;

/** The quotes inside the open string before this one. With them, more text must look like JSON to end the string. */
export type Doubt = typeof NO_DOUBT | typeof QUOTED_BEFORE | typeof IN_QUOTATION;
/** None. In valid JSON it is always this. */
export const NO_DOUBT = 0;
/** There were quotes, and they form pairs. */
export const QUOTED_BEFORE = 1;
/** The last one opened a quotation, which this quote may close. */
export const IN_QUOTATION = 2;

/**
 * The text ahead: at most `bound` characters. At that bound, and at the end of the text, text that so far continues as
 * JSON counts as JSON. So an answer depends on the text alone, never on how it is cut.
 */
export class TextAhead {
  private readonly bound: number;
  protected text = "";
  protected end = 0;
  /** The answer where the text ahead ends. */
  protected atEnd: Answer;
  /** Whether the white space and comments that were skipped last contained a line feed. */
  protected sawLine = false;
  private closers: Closers = { text: "", second: -1, count: 0, end: 0 };

  constructor(bound: number) {
    this.bound = bound;
  }

  /** Sets the text that the other methods read, from `start` on. `ended`: no more text will follow. */
  begin(text: string, start: number, ended: boolean, doubt: Doubt = NO_DOUBT): void {
    const bound = start + this.bound;
    this.text = text;
    this.end = Math.min(text.length, bound);
    this.atEnd = text.length >= bound ? doubt !== IN_QUOTATION : ended ? true : undefined;
  }

  /** Text that ends before the answer no longer counts as JSON. */
  protected requireWhole(): void {
    if (this.atEnd !== undefined) this.atEnd = false;
  }

  /** Returns the answer where the text ahead ends, or `undefined` if more text may follow. */
  protected unlessMore<T>(answer: T): T | undefined {
    return this.atEnd === undefined ? undefined : answer;
  }

  /** Whether the document ends before this place, because of a fence or the tag around it, which are never data. */
  endsDocument(i: number): Answer {
    const known = this.text.slice(i, Math.min(i + 3, this.end));
    if (/^(?:`{3}|~{3}|<\/[a-z_]|<\|[a-z_])/i.test(known)) return true;
    return /^(?:`{1,2}|~{1,2}|<[/|]?)$/.test(known) ? this.unlessMore(false) : false;
  }

  protected isQuote(i: number): boolean {
    return closingQuotes(this.text.charAt(i)) !== "";
  }

  /** Returns the index after the string that begins with this quote; -1 if it does not end. */
  protected endOfString(start: number): number {
    const { text, end } = this;
    const quote = text.charAt(start);
    const closers = closingQuotes(quote);
    // ""a""
    if (
      text.startsWith(quote + quote, start) &&
      start + 2 < end &&
      isKeyCharacter(text.charCodeAt(start + 2))
    ) {
      const last = text.slice(start + 2, end).indexOf(quote + quote);
      return last < 0 ? -1 : start + last + 4;
    }
    for (let i = start + 1; i < end; i++) {
      if (text.charCodeAt(i) === BACKSLASH) i++;
      else if (closers.includes(text.charAt(i))) return i + 1;
    }
    return -1;
  }

  /** Returns the index after white space and comments; -1 if the text ahead ends before that. */
  protected skipBlank(start: number): number {
    const { text, end } = this;
    this.sawLine = false;
    let i = start;
    while (i < end) {
      const character = text.charCodeAt(i);
      if (isBlank(character)) {
        if (character === LINE_FEED) this.sawLine = true;
        i++;
      } else {
        const mayBegin = character === SLASH || character === HASH || character === LESS;
        const after = mayBegin ? this.endOfComment(i) : i;
        if (after === i) return i;
        if (text.charCodeAt(after - 1) === LINE_FEED) this.sawLine = true;
        i = after;
      }
    }
    return -1;
  }

  /**
   * Finds the closing brackets of one kind that begin here, at most so many. The question that follows is mostly about
   * the same ones without the first, so each is looked at once.
   */
  protected closersFrom(first: number, most: number): Closers {
    const { text, closers } = this;
    const isBrace = text.charCodeAt(first) === CLOSE_BRACE;
    const isKnown = closers.text === text && closers.second === first && closers.count - 1 <= most;
    let count = isKnown ? closers.count - 1 : 1;
    let end = isKnown ? closers.end : first + 1;
    for (let i = this.skipBlank(end); i >= 0 && count < most; i = this.skipBlank(end)) {
      const character = text.charCodeAt(i);
      if (!isCloser(character) || (character === CLOSE_BRACE) !== isBrace) break;
      count++;
      end = i + 1;
    }
    return (this.closers = { text, second: this.skipBlank(first + 1), count, end });
  }

  /** Returns the index after the comment that begins here; the same index if none does. */
  protected endOfComment(i: number): number {
    const { text, end } = this;
    if (text.charCodeAt(i) === LESS) {
      if (!"<!--".startsWith(text.slice(i, Math.min(i + 4, end)))) return i;
      const close = text.slice(i + 4, end).indexOf("-->");
      return close < 0 ? end : i + close + 7;
    }
    if (text.charCodeAt(i) === SLASH) {
      if (i + 1 >= end) return end;
      if (text.charCodeAt(i + 1) === STAR) {
        const close = text.slice(i + 2, end).indexOf("*/");
        return close < 0 ? end : i + close + 4;
      }
      if (text.charCodeAt(i + 1) !== SLASH) return i;
    }
    const line = text.slice(i, end).search(/[\r\n]/);
    return line < 0 ? end : i + line + 1;
  }

  /**
   * Whether text without quotes begins here that ends before a comma, closing bracket or line feed.
   *
   * @param mayLackQuote whether it may also be a string without its opening quote: `word",`
   */
  protected isWord(start: number, mayLackQuote = false): Answer {
    for (let i = start; i < this.end; i++) {
      const character = this.text.charCodeAt(i);
      if (character === COMMA || character === LINE_FEED || isCloser(character)) return true;
      if (this.isQuote(i)) return mayLackQuote && i > start && this.isBeforeSeparator(i + 1);
      if (character === COLON) return false;
    }
    return this.atEnd;
  }

  /** Whether a comma or a closing bracket follows. */
  protected isBeforeSeparator(start: number): Answer {
    const i = this.skipBlank(start);
    if (i < 0) return this.unlessMore(false);
    return this.text.charCodeAt(i) === COMMA || isCloser(this.text.charCodeAt(i));
  }

  /** Whether a number or a literal begins here and ends at white space, a comma or a closing bracket. */
  protected isSimpleWord(start: number): Answer {
    let i = start;
    for (; i < this.end; i++) {
      const character = this.text.charCodeAt(i);
      if (character === COMMA || isCloser(character) || isBlank(character)) break;
    }
    if (i === this.end && this.atEnd === undefined) return undefined;
    const word = this.text.slice(start, i);
    return (isDigit(word.charCodeAt(0)) && !word.includes('"')) || isSimpleWord(word);
  }

  /** Whether a number or a literal is the next element. */
  protected isSimpleElement(start: number): Answer {
    const isSimple = this.isSimpleWord(start);
    return isSimple === true ? this.isWord(start) : isSimple;
  }

  /** Whether the parentheses around this place have no comma at their level. `undefined` if more text is needed. */
  isOneValue(start: number): Answer {
    let open = 0;
    for (let i = start; i < this.end;) {
      const character = this.text.charCodeAt(i);
      if (this.isQuote(i)) {
        i = this.endOfString(i);
        if (i < 0) break;
        continue;
      }
      if (open === 0 && character === COMMA) return false;
      if (open === 0 && character === CLOSE_PARENTHESIS) return i > start;
      if (isOpener(character)) open++;
      else if (isCloser(character)) open--;
      i++;
    }
    return this.atEnd;
  }
}

/** Closing brackets of one kind that follow each other in a text. */
interface Closers {
  readonly text: string;
  /** The index of the second one, if there is one. */
  readonly second: number;
  readonly count: number;
  /** The index after the last one. */
  readonly end: number;
}

export function isOpener(character: number): boolean {
  return character === OPEN_BRACE || character === OPEN_BRACKET || character === OPEN_PARENTHESIS;
}

export function isCloser(character: number): boolean {
  return character === CLOSE_BRACE || character === CLOSE_BRACKET || character === CLOSE_PARENTHESIS;
}
