/**
 * Reads keys and values without quotes. In `{user name: Ada L., "b": 1}` the key ends at its colon and the value at the
 * comma, because a key follows there. Values become literals, numbers or strings (`parseBareValue()`).
 */

import { newLines } from "../json/scan/move-position.js";
import { anyScalar } from "../json/build/kinds.js";
import * as Char from "../json/scan/characters.js";
import type { JsonRepairKind } from "../json/repair.js";
import { parseBareValue } from "./bare-value.js";
import { endsWord, isOtherComma, isQuote, narrowBracket } from "./characters.js";
import type { OpenDocument } from "./document.js";
import * as State from "../json/scan/states.js";
import { BARE_KEY, BARE_VALUE } from "./states.js";
import { continuesKey, isAnyColon } from "./ahead/tokens.js";
import { isKey, keyAfterWords } from "./ahead/keys.js";
import { continuesAtComma, continuesAtOther, endsLine } from "./ahead/value-ends.js";
import { type Answer, NO_DOUBT } from "./ahead/window.js";

/** A value begins. `read`: the part of it before `i` that was read as a number or literal. */
export function beginBareValue(document: OpenDocument, i: number, read: string): number {
  document.word.nested = 0;
  document.word.previous = read.charCodeAt(read.length - 1);
  return beginWord(document, i, read, BARE_VALUE);
}

export function beginBareKey(document: OpenDocument, i: number, read = ""): number {
  document.checkKeys(i);
  document.inKey = true;
  return beginWord(document, i, read, BARE_KEY);
}

/** A key without quotes after an array without its closing bracket. `read`: the part of it before `i`. */
export function beginKeyAfterArray(document: OpenDocument, i: number, read: string): number {
  document.report("missing_closer", i - read.length);
  document.closeTornArray(i);
  return beginBareKey(document, i, read);
}

function beginWord(document: OpenDocument, i: number, read: string, state: number): number {
  document.word.offset = document.cursor.offset(i) - read.length;
  document.token.begin(read);
  document.state = state;
  return i;
}

/** The chunk ends inside a word. */
export function keepWord({ token, state, listener }: OpenDocument): void {
  token.keep();
  if (state === BARE_VALUE) listener.begin(anyScalar);
}

export function continueBareValue(document: OpenDocument, text: string, start: number): number {
  const { token, word } = document;
  for (let i = start; i < text.length; i++) {
    const before = i > start ? text.charCodeAt(i - 1) : word.previous;
    const ends = endsBefore(document, text, i, before);
    if (ends === false) continue;
    word.previous = before;
    token.fresh += text.slice(start, i);
    if (ends === undefined) return document.cursor.hold(i);
    const { value, digits, kind } = parseBareValue(token.whole.trimEnd());
    document.listener.begin(anyScalar);
    report(document, kind);
    if (digits !== undefined) document.reportRounded(digits, value);
    document.leaf(value);
    return i;
  }
  word.previous = text.charCodeAt(text.length - 1);
  token.fresh += text.slice(start);
  return text.length;
}

function endsBefore(document: OpenDocument, text: string, i: number, before: number): Answer {
  const { word, nesting, ahead } = document;
  const character = narrowBracket(text.charCodeAt(i));
  const isTop = word.nested === 0;
  switch (character) {
    case Char.OPEN_BRACE:
    case Char.OPEN_BRACKET:
    case Char.OPEN_PARENTHESIS:
      word.nested++;
      return false;
    case Char.CLOSE_PARENTHESIS:
    case Char.CLOSE_BRACE:
    case Char.CLOSE_BRACKET:
      // Does it close a container around the value?
      if (!isTop) word.nested--;
      return isTop && (character !== Char.CLOSE_PARENTHESIS || document.parentheses.areOpen);
    case Char.COMMA:
      if (!isTop || nesting.inArray) return isTop;
      return continuesAtComma(ahead.begin(text, i), i, nesting.depth, NO_DOUBT);
    case Char.LINE_FEED:
      return endsAtLine(document, text, i);
    default:
      if (!isOtherComma(character)) return Char.isSpace(before) && endsAtMark(document, text, i, character);
      if (!isTop || nesting.inArray) return isTop;
      return continuesAtOther(ahead.begin(text, i), i, nesting.depth, NO_DOUBT);
  }
}

function endsAtLine({ ahead, nesting, cursor }: OpenDocument, text: string, i: number): Answer {
  const ends = endsLine(ahead.begin(text, i), i + 1, nesting.depth);
  if (ends === false) cursor.position.newLine(i);
  return ends;
}

/** At a character after white space: a comment or, in an object, a key in quotes ends the value. */
function endsAtMark(
  { ahead, nesting, cursor }: OpenDocument,
  text: string,
  i: number,
  character: number,
): Answer {
  if (character === Char.HASH) return true;
  if (character === Char.SLASH) {
    const next = Char.characterAt(text, i + 1);
    return next < 0 && !cursor.ended ? undefined : next === Char.SLASH || next === Char.STAR;
  }
  return isQuote(character) && !nesting.inArray && isKey(ahead.begin(text, i), i, NO_DOUBT);
}

export function continueBareKey(document: OpenDocument, text: string, start: number): number {
  const { token, ahead } = document;
  let i = start;
  while (i < text.length && !endsBareKey(text.charCodeAt(i))) i++;
  token.fresh += text.slice(start, i);
  if (i === text.length) return i;
  if (Char.isSpace(text.charCodeAt(i))) {
    const goesOn = continuesKey(ahead.begin(text, i), i);
    if (goesOn === true) {
      token.fresh += text.charAt(i);
      return i + 1;
    }
    const key = goesOn === false ? keyAfterWords(ahead, i) : undefined;
    if (key === undefined) return document.cursor.hold(i);
    if (key !== false) {
      report(document, "stray_text");
      document.inKey = false;
      document.state = State.KEY;
      newLines(document.cursor.position, text, i, key);
      return key;
    }
  }
  report(document, "unquoted_key");
  document.newKey(keyOf(token.whole));
  document.bareKey = true;
  return i;
}

/** Reports a repair where the open word begins. */
function report(document: OpenDocument, kind: JsonRepairKind): void {
  document.report(kind, document.word.offset - document.cursor.position.offset);
}

export function endsBareKey(character: number): boolean {
  return endsWord(character) || isAnyColon(character) || character === Char.EQUALS;
}

/** Returns the key that was written without quotes, or without the first of them. */
function keyOf(word: string): string {
  const key = word.trimEnd().replace(/(?<=.)"$/s, "");
  return key.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
