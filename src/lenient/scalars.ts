/**
 * Reads numbers and literals, and hands over to `words` what turns out to be a word: `12 kg`, `nullable`. In `{"a": 1,` the
 * next chunk decides whether the number ends at the comma: it does not before a digit, `1,234`.
 */

import { literalOf } from "../json/scan/literal.js";
import { Allow } from "../json/allow.js";
import * as Kind from "../json/build/kind.js";
import { kindsAtStart } from "../json/build/kinds.js";
import { maxPartialNumber, partialNumber } from "../json/scan/number.js";
import { isBlank } from "../text/around/characters.js";
import { endsWord, isOpener } from "./characters.js";
import { cleanScalarEnd } from "./ahead/clean-ends.js";
import type { OpenDocument } from "./document.js";
import * as State from "../json/scan/states.js";
import { isBareKeyAround } from "./ahead/keys.js";
import { endsNumber } from "./ahead/value-ends.js";
import type { Answer } from "./ahead/window.js";
import { beginBareValue, beginKeyAfterArray } from "./words.js";

export function beginNumber(document: OpenDocument, text: string, i: number, first: number): number {
  document.number.begin(first);
  document.token.begin("");
  document.state = State.NUMBER;
  return continueNumber(document, text, i, i + 1);
}

/**
 * @param start where this chunk's part of the number begins
 * @param from where it is not read yet
 */
export function continueNumber(document: OpenDocument, text: string, start: number, from: number): number {
  const { number, token } = document;
  const i = number.read(text, from);
  const ends = i < text.length && number.whole && isCleanEnd(document, text, i);
  if (ends === true && number.value !== undefined) {
    document.leaf(number.value);
    return i;
  }
  token.fresh += text.slice(start, i);
  if (i === text.length) return i;
  if (ends === undefined) return document.cursor.holdEnd(i, true);
  if (!ends) return toWord(document, text, i, token.whole, number.whole);
  endScalar(document);
  return i;
}

export function beginLiteral(document: OpenDocument, text: string, i: number, first: number): number {
  document.literal = literalOf(first) as typeof document.literal;
  document.matched = 1;
  document.state = State.LITERAL;
  return continueLiteral(document, text, i + 1);
}

export function continueLiteral(document: OpenDocument, text: string, start: number): number {
  const { word } = document.literal;
  let i = start;
  for (; document.matched < word.length && i < text.length; i++, document.matched++) {
    if (text.charCodeAt(i) !== word.charCodeAt(document.matched))
      return toWord(document, text, i, word.slice(0, document.matched), false);
  }
  if (i === text.length) return i;
  const ends = isCleanEnd(document, text, i);
  if (ends === undefined) return document.cursor.holdEnd(i, true);
  if (!ends) return toWord(document, text, i, word, true);
  endScalar(document);
  return i;
}

/** Does the token certainly end before this place? */
function isCleanEnd({ nesting, cursor }: OpenDocument, text: string, i: number): Answer {
  const ends = cleanScalarEnd(text, i, !nesting.inArray && nesting.depth > 0);
  return ends === undefined && !cursor.mayWait(1) ? false : ends;
}

/** Ends the open number or literal. */
export function endScalar(document: OpenDocument): void {
  const { number, token, literal } = document;
  document.leaf(
    document.state === State.NUMBER ? (number.value ?? document.numberOf(token.end())) : literal.value,
  );
}

/** At a character after a number or literal, which may be the start of a word without quotes. */
function toWord(document: OpenDocument, text: string, i: number, read: string, isWhole: boolean): number {
  const { ahead, cursor, nesting, allow } = document;
  const { depth } = nesting;
  if (isWhole) {
    const ends = depth === 0 ? endsWord(text.charCodeAt(i)) : endsNumber(ahead.begin(text, i), i, depth);
    if (ends === undefined) return cursor.hold(i);
    if (ends) {
      endScalar(document);
      return i;
    }
  }
  if (depth === 0) return cursor.reject(i);
  const isOther = nesting.inArray && (allow & (Allow.NUM | Allow.NULL | Allow.BOOL)) === 0;
  const isLiteral = document.state === State.LITERAL;
  keepScalar(document); // as if the chunk ended here: the guard may refuse a number, and `allow` show it
  const other = isOther ? readOther(document, text, i, read, isLiteral) : undefined;
  return other ?? beginBareValue(document, i, read);
}

/** The marker of a list, `- "a"` or `1. "a"`, or a key after an array: `[1, name: 2`. */
function readOther(
  document: OpenDocument,
  text: string,
  i: number,
  read: string,
  isLiteral: boolean,
): number | undefined {
  const { cursor, nesting } = document;
  const ahead = document.ahead.begin(text, i);
  if (isLiteral) {
    const isKey = nesting.children > 0 && isBareKeyAround(ahead, i, nesting.depth, read);
    if (isKey === undefined) return cursor.hold(i);
    return isKey ? beginKeyAfterArray(document, i, read) : undefined;
  }
  if (!marker.test(read) || !isBlank(text.charCodeAt(i))) return undefined;
  const value = ahead.skipBlank(i);
  if (value < 0) return ahead.unlessMore(false) === undefined ? cursor.hold(i) : undefined;
  if (!ahead.isQuote(value) && !isOpener(ahead.at(value))) return undefined;
  document.report("stray_text", i - read.length);
  document.state = State.VALUE;
  return i;
}

/** The chunk ends inside the token. Shows it if `allow` permits. It may become a string without quotes: `12 kg`. */
export function keepScalar({ allow, listener, state, token, literal }: OpenDocument): void {
  if (state === State.NUMBER) {
    const grows = (allow & Allow.NUM) !== 0 && token.before.length < maxPartialNumber;
    token.keep();
    const shown = grows ? partialNumber(token.whole) : undefined;
    listener.begin(kindsAtStart(Kind.NUMBER, true));
    if (shown !== undefined) listener.show(shown);
    return;
  }
  const { value, kind } = literal;
  listener.begin(kindsAtStart(kind, true));
  if ((allow & (value === null ? Allow.NULL : Allow.BOOL)) !== 0) listener.show(value);
}

/** The text ends. A number at the root is complete only then. */
export function finishScalar(document: OpenDocument): void {
  const { state, nesting, number, literal, matched } = document;
  if (
    state === State.NUMBER
      ? nesting.depth === 0 && number.whole
      : state === State.LITERAL && matched === literal.word.length
  )
    endScalar(document);
}

/** The missing part of the open number or literal, for errors. */
export function expectedInScalar({ state, literal, number }: OpenDocument): string {
  if (state === State.LITERAL) return `"${literal.word}"`;
  return number.whole ? "the end of the number" : "a digit";
}

const marker = /^(?:-|\d{1,2}\.)$/;
