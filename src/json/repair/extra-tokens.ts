import type { JsonHints } from "../handler.js";
import type { Nesting } from "../scan/nesting.js";
import { isKeyCharacter } from "../extract/characters.js";
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOT,
  isDigit,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PARENTHESIS,
  PLUS,
  SPACE,
} from "../scan/characters.js";
import { type Answer, isCloser, TextAhead } from "./text-ahead.js";

/** Recognizes tokens that JSON does not have: comments, calls, ellipses, fences, stray words and parts of strings. */
export class ExtraTokens extends TextAhead {
  protected readonly nesting: Nesting;
  protected readonly hints: JsonHints;

  constructor(nesting: Nesting, hints: JsonHints, bound: number) {
    super(bound);
    this.nesting = nesting;
    this.hints = hints;
  }

  /** Whether a key without quotes continues after this space, on the same line: `Some key: 1`. */
  continuesKey(start: number): Answer {
    const i = this.endOfWords(start);
    if (i === this.end) return this.unlessMore(false);
    return this.text.charCodeAt(i) === COLON;
  }

  /** Returns the end of the words here, if a bracket follows that closes the object; 0 if not. */
  strayWords(start: number): number | undefined {
    const i = this.endOfWords(start);
    if (i === this.end) return this.unlessMore(0);
    return this.text.charCodeAt(i) === CLOSE_BRACE ? i : 0;
  }

  private endOfWords(start: number): number {
    let i = start;
    while (i < this.end && (isKeyCharacter(this.text.charCodeAt(i)) || this.text.charCodeAt(i) === SPACE))
      i++;
    return i;
  }

  /** Returns the length of an ellipsis that begins here, alone between commas and brackets; otherwise 0. */
  ellipsis(start: number): number | undefined {
    let i = start;
    while (i < this.end && (this.text.charCodeAt(i) === DOT || this.text.charAt(i) === "…")) i++;
    const length = i - start;
    const after = this.skipBlank(i);
    if (after < 0) return this.unlessMore(length);
    const character = this.text.charCodeAt(after);
    const isWhole = length === 3 || this.text.charAt(start) === "…";
    return isWhole && (character === COMMA || isCloser(character)) ? length : 0;
  }

  /**
   * Whether a call around one value begins here: `ObjectId("1")`. Returns the length of the text before the value; 0 if
   * it is no call.
   */
  call(start: number): number | undefined {
    let i = start;
    while (i < this.end && (isKeyCharacter(this.text.charCodeAt(i)) || this.text.charCodeAt(i) === DOT)) i++;
    if (i < this.end && this.text.charCodeAt(i) !== OPEN_PARENTHESIS) return 0;
    const value = this.skipBlank(i + 1);
    if (i === this.end || value < 0) return this.unlessMore(0);
    const character = this.text.charCodeAt(value);
    const isValue =
      this.isQuote(value) ||
      isDigit(character) ||
      character === MINUS ||
      character === OPEN_BRACE ||
      character === OPEN_BRACKET;
    if (!isValue) return 0;
    const alone = this.isOneValue(value);
    return alone === undefined ? undefined : alone ? value - start : 0;
  }

  /** Whether a fence begins here, after which the text ends. */
  isLastFence(start: number): Answer {
    const isFence = this.endsDocument(start);
    if (isFence !== true) return isFence;
    return this.skipBlank(start + 3) < 0 ? this.atEnd : false;
  }

  /** Whether this character follows, after white space and comments. */
  isNext(start: number, character: number): Answer {
    const i = this.skipBlank(start);
    if (i < 0) return this.unlessMore(false);
    return this.text.charCodeAt(i) === character;
  }

  /** Returns the characters that begin a comment here; an empty string if none does. */
  commentMark(start: number): string | undefined {
    const known = this.text.slice(start, Math.min(start + 4, this.end));
    const [mark = ""] = /^(?:#|\/[/*]|<!--)/.exec(known) ?? [];
    const mayBe = mark === "" && /^(?:\/|<(?:!-?)?)$/.test(known);
    return mayBe ? this.unlessMore(mark) : mark;
  }

  /**
   * Where a comment ends whose line also contains the end of an open container: `{"a": 1 # one }`. Returns 0 if the
   * comment takes its whole line.
   */
  closerInComment(start: number, depth: number): number | undefined {
    const { text, end } = this;
    if (depth === 0 || /[\r\n]/.test(text.slice(start, end))) return 0;
    if (this.atEnd === undefined) return undefined;
    let open = 0;
    for (let i = start; i < end; i++) {
      const character = text.charCodeAt(i);
      if (character === OPEN_BRACE || character === OPEN_BRACKET) open++;
      else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
        if (open-- === 0) return depthOf(this.nesting, character === CLOSE_BRACKET, depth) > 0 ? i : 0;
      }
    }
    return 0;
  }

  /**
   * Whether the string is put together of parts, as in `"a" + "b"`, or in an object with each part on a line. Returns
   * the index of the next part's quote; 0 if not.
   */
  nextPart(start: number, inArray: boolean): number | undefined {
    const plus = this.skipBlank(start);
    if (plus < 0) return this.unlessMore(0);
    if (!inArray && this.sawLine && this.isQuote(plus)) return this.partOnLine(plus);
    if (this.text.charCodeAt(plus) !== PLUS) return 0;
    const quote = this.skipBlank(plus + 1);
    if (quote < 0) return this.unlessMore(0);
    return this.isQuote(quote) ? quote : 0;
  }

  /** Whether the string that begins here is the next part: it is no key, because a comma or bracket follows. */
  private partOnLine(quote: number): number | undefined {
    const end = this.endOfString(quote);
    const after = end < 0 ? end : this.skipBlank(end);
    if (after < 0) return this.unlessMore(0);
    const character = this.text.charCodeAt(after);
    const isLast = character === COMMA || character === CLOSE_BRACE;
    return isLast || (this.sawLine && this.isQuote(after)) ? quote : 0;
  }
}

/** Returns the depth of the innermost open array (`isArray`) or object, from `from` on outwards; 0 without one. */
export function depthOf(nesting: Nesting, isArray: boolean, from: number): number {
  let depth = from;
  while (depth > 0 && nesting.isArray(depth) !== isArray) depth--;
  return depth;
}
