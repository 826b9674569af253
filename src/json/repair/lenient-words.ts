import { anyScalar } from "../build/kinds.js";
import {
  characterAt,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PARENTHESIS,
  COLON,
  COMMA,
  HASH,
  isSpace,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PARENTHESIS,
  SLASH,
  STAR,
} from "../scan/characters.js";
import { BARE_VALUE, COMMENT, KEY, VALUE } from "../scan/states.js";
import { parseBareValue } from "./bare-value.js";
import { LenientKeys } from "./lenient-keys.js";
import { Parentheses } from "./parentheses.js";
import { closingQuotes } from "./quotes.js";
import { type Answer, NO_DOUBT } from "./text-ahead.js";

/** Reads keys and values without quotes, and comments. */
export abstract class LenientWords extends LenientKeys {
  /** The offset of the open bare word or comment. */
  protected wordOffset = 0;
  /** Whether the last key had no quotes. */
  protected bareKey = false;
  /** The text that ends the open comment, and the state after it. */
  private commentEnd = "";
  protected afterComment: number = VALUE;
  /** Created with the first one. */
  protected parentheses: Parentheses | undefined;
  /** The number of brackets that are open in the bare value. */
  private nested = 0;

  protected get openParentheses(): Parentheses {
    return (this.parentheses ??= new Parentheses());
  }

  /** The part of the open literal that was read. */
  protected get literalSoFar(): string {
    return this.literal.word.slice(0, this.matched);
  }

  protected get literalIsWhole(): boolean {
    return this.matched === this.literal.word.length;
  }

  protected override keepToken(): void {
    if (this.state === BARE_VALUE) {
      this.token += this.fresh;
      this.fresh = "";
      this.handler.begin(anyScalar);
    } else super.keepToken();
  }

  protected beginBareValue(offset: number, read: string): void {
    this.wordOffset = offset;
    this.nested = 0;
    this.token = read;
    this.fresh = "";
    this.previous = read.charCodeAt(read.length - 1);
    this.state = BARE_VALUE;
  }

  protected continueBareValue(text: string, start: number): number {
    for (let i = start; i < text.length; i++) {
      const ends = this.endsBareValue(text, start, i);
      if (ends === false) continue;
      this.previous = this.characterBefore(text, start, i);
      this.fresh += text.slice(start, i);
      if (ends === undefined) return this.hold(text, i);
      const { value, kind } = parseBareValue((this.token + this.fresh).trimEnd());
      this.handler.begin(anyScalar);
      this.report(kind, this.wordOffset);
      this.endLeaf(value);
      return i;
    }
    this.previous = this.characterBefore(text, start, text.length);
    this.fresh += text.slice(start);
    return text.length;
  }

  protected endsBareValue(text: string, start: number, i: number): Answer {
    const { ahead, nesting } = this;
    const character = text.charCodeAt(i);
    switch (character) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
      case OPEN_PARENTHESIS:
        this.nested++;
        return false;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
      case CLOSE_PARENTHESIS:
        if (this.nested === 0) return character !== CLOSE_PARENTHESIS || this.parentheses?.areOpen === true;
        this.nested--;
        return false;
      case COMMA:
        if (this.nested > 0) return false;
        if (nesting.inArray) return true;
        ahead.begin(text, i, this.ended);
        return ahead.continuesAfterComma(i + 1, nesting.depth, NO_DOUBT);
      case LINE_FEED: {
        ahead.begin(text, i, this.ended);
        const ends = ahead.endsLine(i + 1, nesting.depth);
        if (ends === false) this.position.newLine(i);
        return ends;
      }
    }
    const isQuote = closingQuotes(text.charAt(i)) !== "";
    if (!isQuote && character !== SLASH && character !== HASH) return false;
    if (!isSpace(this.characterBefore(text, start, i))) return false;
    if (character === HASH) return true;
    if (character === SLASH) {
      const next = characterAt(text, i + 1);
      return next < 0 && !this.ended ? undefined : next === SLASH || next === STAR;
    }
    ahead.begin(text, i, this.ended);
    return !nesting.inArray && ahead.isKey(i, NO_DOUBT);
  }

  protected continueBareKey(text: string, start: number, first: number): number {
    let i = start;
    let character = first;
    while (i < text.length && !endsWord(character) && character !== COLON) character = text.charCodeAt(++i);
    this.fresh += text.slice(start, i);
    if (i === text.length) return i;
    if (isSpace(character)) {
      this.ahead.begin(text, i, this.ended);
      const goesOn = this.ahead.continuesKey(i);
      if (goesOn) {
        this.fresh += text.charAt(i);
        return i + 1;
      }
      const isStray = goesOn === false ? this.ahead.isBeforeKey(i) : undefined;
      if (isStray === undefined) return this.hold(text, i);
      if (isStray) {
        this.report("stray_text", this.wordOffset);
        this.inKey = false;
        this.state = KEY;
        return i;
      }
    }
    this.report("unquoted_key", this.wordOffset);
    this.endString(keyOf(this.token + this.fresh), "", true);
    this.bareKey = true;
    return i;
  }

  /** At a character that may begin a comment. Returns the same index if none does. */
  protected beginComment(text: string, i: number): number {
    const { ahead, nesting } = this;
    ahead.begin(text, i, this.ended);
    const mark = ahead.commentMark(i);
    if (mark === undefined) return this.hold(text, i);
    if (mark === "") return i;
    const end = commentEnds.get(mark) ?? "\n";
    const closer = end === "\n" ? ahead.closerInComment(i, nesting.depth) : 0;
    if (closer === undefined) return this.hold(text, i);
    this.report("comment", this.position.offset + i);
    if (closer > 0) return closer;
    this.afterComment = this.state;
    this.state = COMMENT;
    this.commentEnd = end;
    return i + mark.length;
  }

  protected continueComment(text: string, start: number): number {
    const { commentEnd } = this;
    const close = commentEnd === "\n" ? endOfLine(text, start) : text.indexOf(commentEnd, start);
    if (close >= 0) {
      this.state = this.afterComment;
      const end = close + commentEnd.length;
      this.position.newLines(text, start, end);
      return end;
    }
    // The end may be cut.
    const kept = this.ended ? text.length : Math.max(start, text.length - commentEnd.length + 1);
    this.position.newLines(text, start, kept);
    return kept === text.length ? kept : this.hold(text, kept);
  }
}

/** Other comments end with their line. */
const commentEnds: ReadonlyMap<string, string> = new Map([
  ["/*", "*/"],
  ["<!--", "-->"],
]);

export function isStructural(character: number): boolean {
  switch (character) {
    case COMMA:
    case COLON:
    case OPEN_BRACE:
    case CLOSE_BRACE:
    case OPEN_BRACKET:
    case CLOSE_BRACKET:
      return true;
    default:
      return false;
  }
}

/** Returns the key that was written without quotes, or without the first of them. */
function keyOf(word: string): string {
  const key = word.trimEnd().replace(/(?<=.)"$/s, "");
  return key.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Returns the index of the next line break; -1 without one. */
function endOfLine(text: string, start: number): number {
  const length = text.slice(start).search(/[\r\n]/);
  return length < 0 ? -1 : start + length;
}

/** Whether the character ends a key without quotes, or a number at the root. */
export function endsWord(character: number): boolean {
  return isSpace(character) || (isStructural(character) && character !== COLON);
}
