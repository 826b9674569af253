import { BACKTICK } from "../extract/characters.js";
import { defaultLookAhead, type JsonParserOptions } from "../options.js";
import {
  characterAt,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isDigit,
  isSpace,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "../scan/characters.js";
import { Scanner, type ScanTarget } from "../scan/scanner.js";
import {
  END_SEEN,
  KEY,
  LITERAL,
  NUMBER,
  PREDICTED_KEY,
  STRING,
  VALUE,
  type WaitingState,
} from "../scan/states.js";
import { isOtherQuote } from "./quotes.js";
import { type Answer, isCloser } from "./text-ahead.js";

/**
 * Decides by the text after a token whether the token ends, so the end of a chunk may stay undecided. Each decision
 * sees the same text, whatever the chunks are.
 *
 * Clean text costs little more than strict reading: where the text continues as JSON, it is looked at once (`wait()`).
 * All other text that is not decided is *held back*: it is read again, together with the next chunk (`hold()`).
 */
export abstract class DeferringScanner extends Scanner {
  /** Whether the text has ended, so everything is decided. */
  protected ended = false;
  protected readonly lookAhead: number;
  private held = "";

  /** In the state END_SEEN: the state in which the token continues if it does not end. */
  private waiting: WaitingState = STRING;
  /** In that state: the value of the token, if all of it was in one chunk. */
  private value: string | undefined;
  /** The end of the value that is not shown before the token ends. */
  private unshown = "";
  /** The text that is not decided, from the closing quote or the comma on, and whether a comma is in it. */
  private seen = "";
  private sawComma = false;

  constructor(
    options: JsonParserOptions,
    target: ScanTarget,
    proseAfter?: (text: string, offset: number) => void,
  ) {
    super(options, target, proseAfter, endOfString);
    this.lookAhead = options.lookAhead ?? defaultLookAhead;
  }

  override scan(text: string): void {
    const { held } = this;
    if (held === "") {
      super.scan(text);
      return;
    }
    this.held = "";
    this.position.resume(held);
    super.scan(held + text);
  }

  override undecided(): string {
    return this.state === END_SEEN ? this.seen : this.held;
  }

  override finish(truncated: boolean): boolean {
    this.ended = true;
    this.position.enter("");
    if (this.state === END_SEEN) this.scanAgain("");
    else if (this.held !== "") this.scan("");
    this.position.leave();
    return super.finish(truncated);
  }

  /** Keeps the rest of the chunk until more text decides about it. */
  protected hold(text: string, i: number): number {
    this.held = text.slice(i);
    this.position.hold(text.length - i);
    return text.length;
  }

  /** Returns the rest of the chunk, which the scanner holds back. */
  protected takeHeld(): string {
    const { held } = this;
    this.held = "";
    this.position.hold(0);
    return held;
  }

  protected override wait(state: WaitingState, text: string, i: number, value?: string): number {
    this.unshown = "";
    if (state === KEY || state === PREDICTED_KEY) this.inKey = true;
    else if (value === undefined) this.keepToken();
    else this.showString(value);
    this.waiting = state;
    this.value = value;
    this.state = END_SEEN;
    this.seen = text.slice(i);
    return text.length;
  }

  /** Shows a string that was in one chunk, before it is decided that it ends. */
  protected showString(value: string): void {
    this.unshown = this.restOf(value);
    const shown = value.slice(0, value.length - this.unshown.length);
    this.tell(shown);
  }

  /** In the state END_SEEN: reads the next chunk. */
  protected continueAfterEnd(text: string): number {
    const { seen, sawComma, waiting } = this;
    const isString = waiting !== NUMBER && waiting !== LITERAL;
    const ends = isString ? this.isCleanEnd(text, 0, this.inKey, sawComma) : !isDigit(text.charCodeAt(0));
    if (ends === undefined && this.mayWait(seen.length + text.length)) {
      this.seen += text;
      return text.length;
    }
    if (ends !== true) return this.scanAgain(text);
    if (seen.length > 1) this.position.newLines(seen, 0, seen.length, -seen.length);
    this.endToken();
    if (sawComma) this.state = this.nesting.inArray ? VALUE : KEY;
    return 0;
  }

  private endToken(): void {
    switch (this.waiting) {
      case PREDICTED_KEY:
        this.acceptKey();
        break;
      case NUMBER:
        this.endNumber();
        break;
      case LITERAL:
        this.endLiteral();
        break;
      case KEY:
      case VALUE:
        this.endString(this.value as string, this.unshown, this.inKey);
        break;
      default:
        this.endString(this.wholeToken(), this.fresh, this.inKey);
    }
  }

  /** Scans the text that was not decided again, together with the current chunk. */
  private scanAgain(text: string): number {
    const { seen, value, unshown, inKey } = this;
    this.state = this.waiting;
    if (value !== undefined) {
      this.beginString(inKey, STRING, value);
      this.token = value.slice(0, value.length - unshown.length);
      this.fresh = unshown;
    }
    this.position.rewind(seen);
    super.scan(seen + text);
    return text.length;
  }

  /** Whether the text after the quote decides that the string ends. In valid JSON it nearly always does. */
  protected override isEndOfString(text: string, after: number, isKey: boolean): Answer {
    if (this.nesting.depth === 0) return false;
    const ends = this.isCleanEnd(text, after, isKey, false);
    if (ends !== undefined) return ends;
    // The string may have ended before ", ", so that is not shown before the next character.
    if (!isKey && after > 1 && mayBeTail(text.charCodeAt(after - 2))) return false;
    return this.mayWait(text.length - after + 1) ? undefined : false;
  }

  protected override isEndOfNumber(text: string, after: number): Answer {
    const character = characterAt(text, after);
    if (character !== COMMA)
      return character === CLOSE_BRACE || character === CLOSE_BRACKET || character === LINE_FEED;
    if (this.nesting.inArray || this.nesting.depth === 0) return true;
    if (after + 1 < text.length) return !isDigit(text.charCodeAt(after + 1));
    this.sawComma = true;
    return this.mayWait(1) ? undefined : false;
  }

  protected override isEndOfLiteral(text: string, after: number): Answer {
    return after < text.length && this.isEndOfNumber(text, after);
  }

  /** Whether a decision may wait for the next chunk, after so many characters. */
  private mayWait(count: number): boolean {
    return !this.ended && count < this.lookAhead;
  }

  /**
   * Whether the text after a quote continues as valid JSON mostly does: a short cut past `LookAhead`. `undefined` if
   * the text so far does. Then `sawComma` tells whether it contains a comma.
   */
  private isCleanEnd(text: string, after: number, isKey: boolean, afterComma: boolean): Answer {
    const { inArray } = this.nesting;
    let comma = afterComma;
    for (let i = after; i < text.length; i++) {
      const character = text.charCodeAt(i);
      if (isSpace(character)) continue;
      if (isKey) return character === COLON;
      if (comma)
        return character === QUOTE || (inArray && (character === OPEN_BRACE || character === OPEN_BRACKET));
      if (character !== COMMA) return character === (inArray ? CLOSE_BRACKET : CLOSE_BRACE);
      comma = true;
    }
    this.sawComma = comma;
    return undefined;
  }
}

/** Whether the character may be in the tail of a string: the text after the end of one without its closing quote. */
export function mayBeTail(character: number): boolean {
  return (
    character === COMMA ||
    isSpace(character) ||
    isCloser(character) ||
    character === BACKTICK ||
    isOtherQuote(character)
  );
}

/** The text for which `isEndOfString()` returns true in an object. */
const endOfString = '(?=[ \\t\\r\\n]*(?:\\}|,[ \\t\\r\\n]*"))';
