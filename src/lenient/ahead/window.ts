import { isBlank, isKeyCharacter, LESS } from "../../text/around/characters.js";
import { BACKSLASH, COMMA, HASH, LINE_FEED, SLASH, STAR } from "../../json/scan/characters.js";
import type { JsonHints } from "../../json/handler.js";
import type { TextCursor } from "../cursor.js";
import type { Levels } from "../levels.js";
import type { Parentheses } from "../parentheses.js";
import { closingQuotesOf, isCloser, isQuote, narrowBracket, WIDE_BRACKET } from "../characters.js";
import { Search, Trails } from "./trails.js";

/** The answer to a question about the text ahead; `undefined` if more text is needed. */
export type Answer = boolean | undefined;
/** The index of what was looked for; `false` if there is something else, and `undefined` if more text is needed. */
export type FoundAt = number | false | undefined;

/** Is what was looked for there? */
export function isFound(at: FoundAt): Answer {
  return at === undefined ? undefined : at !== false;
}

/**
 * What came in the open string before this quote, in rising order. After other quotes, more text must look like JSON to end
 * the string.
 */
export type Doubt = typeof NO_DOUBT | typeof QUOTED_BEFORE | typeof IN_QUOTATION | typeof AFTER_FENCE;
/** None. In valid JSON it is always this. */
export const NO_DOUBT = 0;
/** There were quotes, and they form pairs. */
export const QUOTED_BEFORE = 1;
/** The last one opened a quotation, which this quote may close. */
export const IN_QUOTATION = 2;
/** A fence or closing tag is between the first quote and this one: `"see "b"</p>"`. */
export const AFTER_FENCE = 3;

/**
 * The text ahead: at most `lookAhead` characters. At that bound, and at the end of the text, text that so far continues as
 * JSON counts as JSON. So an answer depends on the text alone, never on how it is cut.
 *
 * After `begin('"a" /* b', 3)`, with more text to come, `skipBlank(3)` is -1 and `atEnd` is `undefined`: more text decides.
 *
 * A question whose text ends before its answer answers with one of these. All are `undefined` while more text may come.
 *
 * | where the text ends                  | the answer      |                                         |
 * | ------------------------------------ | --------------- | --------------------------------------- |
 * | in what continues as JSON: `", "b`   | `atEnd`         | yes                                     |
 * | the same, after `requireWhole()`     | `atEnd`         | no: in doubt, only what is there counts |
 * | in what more text could make another | `unlessMore(x)` | `x`: two backticks are no fence         |
 */
export class Window {
  text = "";
  end = 0;
  /** The answer to a question that the text ahead leaves open where it ends. */
  atEnd: Answer;
  /** The quotes that close the open string. */
  closingQuotes = '"';
  /** Did `\n` in two characters stand between tokens? */
  sawEscape = false;
  /** Is `\n` in two characters white space? After an escape in the open string it is text, unless it stood between tokens. */
  skipsEscapes = true;
  /** Was there a line feed in the white space and comments that were skipped last? */
  sawLine = false;
  readonly levels: Levels;
  readonly parentheses: Parentheses;
  readonly hints: JsonHints;
  /** From a string to the next one, where only one of them follows the other (`isStringElement()`). */
  readonly strings: Trails = new Trails();
  /** From an escape to the next one (`isDamagedAfter()`). */
  readonly escapes: Trails = new Trails();
  /** The last search for the end of a simple value (`endOfSimple()`). */
  readonly simple: Search = new Search();
  /** The last search for a comma in parentheses: where they begin, how far it came, and what is open there (`isOneValue()`). */
  readonly group = { start: -1, at: -1, open: 0 };
  /** The last search for the end of a string, by the quotes that close it. */
  private ends: Map<string, Search> | undefined;
  private readonly cursor: TextCursor;
  private start = 0;

  constructor(cursor: TextCursor, levels: Levels, parentheses: Parentheses, hints: JsonHints) {
    this.cursor = cursor;
    this.levels = levels;
    this.parentheses = parentheses;
    this.hints = hints;
  }

  begin(text: string, start: number, doubt: Doubt = NO_DOUBT, closingQuotes = '"'): this {
    const bound = start + this.cursor.lookAhead;
    this.text = text;
    this.start = start;
    this.closingQuotes = closingQuotes;
    this.skipsEscapes = true;
    this.end = Math.min(text.length, bound);
    this.atEnd = text.length >= bound ? doubt !== IN_QUOTATION : this.cursor.ended || undefined;
    return this;
  }

  /** Returns how many characters come before the one with index 0, in all chunks. */
  get before(): number {
    return this.cursor.received - this.text.length;
  }

  /** Text that ends before the answer no longer counts as JSON. */
  requireWhole(): void {
    if (this.atEnd !== undefined) this.atEnd = false;
  }

  /** Does the text ahead end at its bound, and not where the text ends? */
  get isFull(): boolean {
    return this.end === this.start + this.cursor.lookAhead;
  }

  /** Returns the answer where the text ahead ends, or `undefined` if more text may follow. */
  unlessMore<T>(answer: T): T | undefined {
    return this.atEnd === undefined ? undefined : answer;
  }

  /** A bracket of full width counts as that of JSON. */
  at(i: number): number {
    const character = this.text.charCodeAt(i);
    return character < WIDE_BRACKET ? character : narrowBracket(character);
  }

  /** Is this a bracket of full width? In a text they are common, so they rarely end a string. */
  isWide(i: number): boolean {
    return this.at(i) !== this.text.charCodeAt(i);
  }

  isQuote(i: number): boolean {
    return isQuote(this.text.charCodeAt(i));
  }

  /** May the character at `i` close the open string? */
  mayClose(i: number): boolean {
    return this.closingQuotes.includes(this.text.charAt(i)) && i < this.end;
  }

  /** Does the quote at `i` begin a quotation, by the characters around it? */
  opensQuotation(i: number): boolean {
    const next = this.at(i + 1);
    return !isKeyCharacter(this.at(i - 1)) && !isBlank(next) && next !== COMMA && !isCloser(next);
  }

  /** Returns the index after the string that begins with this quote; -1 if it does not end. */
  endOfString(start: number): number {
    const { text, end } = this;
    const quote = text.charCodeAt(start);
    const closingQuotes = closingQuotesOf(quote);
    // ""a""
    if (text.charCodeAt(start + 1) === quote && start + 2 < end && isKeyCharacter(this.at(start + 2))) {
      const last = text.slice(start + 2, end).indexOf(text.slice(start, start + 2));
      return last < 0 ? -1 : start + last + 4;
    }
    const { before } = this;
    const ends = (this.ends ??= new Map<string, Search>());
    let search = ends.get(closingQuotes);
    if (search === undefined) ends.set(closingQuotes, (search = new Search()));
    let i = Math.max(start + 1, search.begin(before + start) - before);
    for (; i < end; i++) {
      if (text.charCodeAt(i) === BACKSLASH) i++;
      else if (closingQuotes.includes(text.charAt(i))) break;
    }
    search.reach(before + i);
    return i < end ? i + 1 : -1;
  }

  /** Returns the index after white space, also escaped, and comments; -1 if the text ahead ends before that. */
  skipBlank(start: number): number {
    this.sawLine = false;
    let i = start;
    while (i < this.end) {
      const character = this.at(i);
      if (isBlank(character)) {
        if (character === LINE_FEED) this.sawLine = true;
        i++;
      } else if (character === BACKSLASH) {
        if (!this.skipsEscapes) return i;
        const after = this.endOfEscape(i);
        if (after === i) return i;
        i = after;
      } else {
        const after = this.endOfComment(i, character);
        if (after === i) return i;
        if (this.at(after - 1) === LINE_FEED) this.sawLine = true;
        i = after;
      }
    }
    return -1;
  }

  /** Returns the index after `\\n` and the like, and after the backslash of `\\]`; the same index for another backslash. */
  private endOfEscape(i: number): number {
    const known = this.text.slice(i + 1, Math.min(i + 3, this.end));
    if (/^(?:[nrt]?$|[nrt][\s",'\\\]}])/.test(known)) return Math.min(i + 2, this.end);
    return /^[[\]{}]/.test(known) ? i + 1 : i;
  }

  /** Returns the index after the comment that begins here; the same index if none does. */
  private endOfComment(i: number, character: number): number {
    const { text, end } = this;
    switch (character) {
      case LESS:
        return "<!--".startsWith(text.slice(i, Math.min(i + 4, end))) ? this.past("-->", i + 4) : i;
      case SLASH:
        if (i + 1 >= end) return end;
        if (this.at(i + 1) === STAR) return this.past("*/", i + 2);
        if (this.at(i + 1) !== SLASH) return i;
        break;
      case HASH:
        break;
      default:
        return i;
    }
    const line = text.slice(i, end).search(/[\r\n]/);
    return line < 0 ? end : i + line + 1;
  }

  private past(mark: string, start: number): number {
    const at = this.text.slice(start, this.end).indexOf(mark);
    return at < 0 ? this.end : start + at + mark.length;
  }
}
