import { newLines } from "../json/scan/move-position.js";
import { anyScalar } from "../json/build/kinds.js";
import {
  characterAt,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PARENTHESIS,
  COMMA,
  EQUALS,
  HASH,
  isSpace,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PARENTHESIS,
  SLASH,
  STAR,
} from "../json/scan/characters.js";
import { parseBareValue } from "./bare-value.js";
import { endsWord, isOtherComma, isQuote, narrowBracket } from "./characters.js";
import type { OpenDocument } from "./document.js";
import { KEY } from "../json/scan/states.js";
import { BARE_KEY, BARE_VALUE } from "./states.js";
import { continuesKey, isAnyColon } from "./ahead/tokens.js";
import { isKey, keyAfterWords } from "./ahead/keys.js";
import { continuesAtComma, continuesAtOther, endsLine } from "./ahead/value-ends.js";
import { type Answer, NO_DOUBT, type Window } from "./ahead/window.js";

/**
 * Reads keys and values without quotes. In `{user name: Ada L., "b": 1}` the key ends at its colon and the value at the
 * comma, because a key follows there. Values become literals, numbers or strings (`parseBareValue()`).
 */
export class Words {
  /** The index where the open word begins, in the whole text. */
  private offset = 0;
  /** The number of brackets that are open in the value. */
  private nested = 0;
  /** The last character that was read. */
  private previous = 0;
  private readonly document: OpenDocument;

  constructor(document: OpenDocument) {
    this.document = document;
  }

  /** A value begins. `read`: the part of it before `i` that was read as a number or literal. */
  beginValue(i: number, read: string): number {
    this.offset = this.document.cursor.offset(i) - read.length;
    this.nested = 0;
    this.previous = read.charCodeAt(read.length - 1);
    this.document.token.begin(read);
    this.document.state = BARE_VALUE;
    return i;
  }

  beginKey(i: number): number {
    this.offset = this.document.cursor.offset(i);
    this.document.token.begin("");
    this.document.inKey = true;
    this.document.state = BARE_KEY;
    return i;
  }

  /** A key without quotes after an array without its closing bracket. `read`: the part of it before `i`. */
  beginKeyAfterArray(i: number, read: string): number {
    const { document } = this;
    document.report("missing_closer", i - read.length);
    document.closeTornArray(i);
    document.checkKeys(i);
    this.beginKey(i);
    this.offset -= read.length;
    document.token.begin(read);
    return i;
  }

  /** The chunk ends inside a word. */
  keep(): void {
    this.document.token.keep();
    if (this.document.state === BARE_VALUE) this.document.listener.begin(anyScalar);
  }

  continueValue(text: string, start: number): number {
    const { document } = this;
    const { token } = document;
    for (let i = start; i < text.length; i++) {
      const before = i > start ? text.charCodeAt(i - 1) : this.previous;
      const ends = this.endsBefore(text, i, before);
      if (ends === false) continue;
      this.previous = before;
      token.fresh += text.slice(start, i);
      if (ends === undefined) return this.document.cursor.hold(i);
      const { value, kind } = parseBareValue(token.whole.trimEnd());
      document.listener.begin(anyScalar);
      this.report(kind);
      document.leaf(value);
      return i;
    }
    if (start < text.length) this.previous = text.charCodeAt(text.length - 1);
    token.fresh += text.slice(start);
    return text.length;
  }

  private endsBefore(text: string, i: number, before: number): Answer {
    const character = narrowBracket(text.charCodeAt(i));
    switch (character) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
      case OPEN_PARENTHESIS:
        this.nested++;
        return false;
      case CLOSE_PARENTHESIS:
        return this.closes() && this.document.parentheses.areOpen;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        return this.closes();
      case COMMA:
        return this.nested === 0 && this.continuesAtComma(text, i);
      case LINE_FEED:
        return this.endsAtLine(text, i);
      default:
        if (isOtherComma(character)) return this.nested === 0 && this.continuesAtOther(text, i);
        return isSpace(before) && this.endsAtMark(text, i, character);
    }
  }

  /** At a closing bracket: does it close a container around the value? */
  private closes(): boolean {
    if (this.nested === 0) return true;
    this.nested--;
    return false;
  }

  private continuesAtComma(text: string, i: number): Answer {
    const { nesting } = this.document;
    return nesting.inArray || continuesAtComma(this.look(text, i), i, nesting.depth, NO_DOUBT);
  }

  private continuesAtOther(text: string, i: number): Answer {
    const { nesting } = this.document;
    return nesting.inArray || continuesAtOther(this.look(text, i), i, nesting.depth, NO_DOUBT);
  }

  private endsAtLine(text: string, i: number): Answer {
    const ends = endsLine(this.look(text, i), i + 1, this.document.nesting.depth);
    if (ends === false) this.document.cursor.position.newLine(i);
    return ends;
  }

  /** At a character after white space: a comment or, in an object, a key in quotes ends the value. */
  private endsAtMark(text: string, i: number, character: number): Answer {
    if (character === HASH) return true;
    if (character === SLASH) {
      const next = characterAt(text, i + 1);
      return next < 0 && !this.document.cursor.ended ? undefined : next === SLASH || next === STAR;
    }
    if (!isQuote(text.charCodeAt(i)) || this.document.nesting.inArray) return false;
    return isKey(this.look(text, i), i, NO_DOUBT);
  }

  continueKey(text: string, start: number): number {
    const { document } = this;
    const { token } = document;
    let i = start;
    while (i < text.length && !endsBareKey(text.charCodeAt(i))) i++;
    token.fresh += text.slice(start, i);
    if (i === text.length) return i;
    if (isSpace(text.charCodeAt(i))) {
      const goesOn = continuesKey(this.look(text, i), i);
      if (goesOn === true) {
        token.fresh += text.charAt(i);
        return i + 1;
      }
      const key = goesOn === false ? keyAfterWords(document.ahead, i) : undefined;
      if (key === undefined) return document.cursor.hold(i);
      if (key !== false) {
        this.report("stray_text");
        document.inKey = false;
        document.state = KEY;
        newLines(document.cursor.position, text, i, key);
        return key;
      }
    }
    this.report("unquoted_key");
    document.newKey(keyOf(token.whole));
    document.bareKey = true;
    return i;
  }

  private look(text: string, i: number): Window {
    this.document.ahead.begin(text, i, this.document.cursor.ended);
    return this.document.ahead;
  }

  private report(kind: Parameters<OpenDocument["report"]>[0]): void {
    this.document.report(kind, this.offset - this.document.cursor.position.offset);
  }
}

function endsBareKey(character: number): boolean {
  return endsWord(character) || isAnyColon(character) || character === EQUALS;
}

/** Returns the key that was written without quotes, or without the first of them. */
function keyOf(word: string): string {
  const key = word.trimEnd().replace(/(?<=.)"$/s, "");
  return key.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
