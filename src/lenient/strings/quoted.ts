import * as Char from "../../json/scan/characters.js";
import { cleanEnd, ENDS, OPEN_COMMA, UNCLEAR } from "../ahead/clean-ends.js";
import type { OpenDocument } from "../document.js";
import { damages, endOfNames, isNameCharacter, isText } from "./backslashes.js";
import { readLineInKey, readQuoteInKey } from "./key-quotes.js";
import type { LenientString } from "./open-string.js";
import { isQuote } from "../characters.js";
import * as State from "../../json/scan/states.js";
import { endAtTail, readQuoteInValue, readQuoteOfRoot } from "./value-quotes.js";
import { mayBeTail, startOfTail } from "./tail.js";

/**
 * Reads strings and keys, with quotes, control characters and invalid escapes inside. What a quote means is asked in this
 * order:
 *
 * 1. `cleanEnd()` of `ahead/clean-ends`: a short cut for what follows nearly all strings
 * 2. the table in `value-quotes`, or that in `key-quotes`: the end of a part, the end, a missing quote before, text …
 * 3. `endsValue()` of `ahead/value-ends`, or `endsKey()` of `ahead/keys`: the rule for the end, by the text that follows
 *
 * `{"a": "b"` and then `, "c` makes these calls: `startString()` reads `a`, and then `b`. More text decides whether that ends
 * at its quote, so `startString()` holds. After the second chunk `,` and `"` are clear, so the look-ahead is not asked.
 *
 * In `{"a": "He said "hi", then left"}` the quotes after the first of the string mean:
 *
 * | quote          | doubt        | what decides                                         | it is    |
 * | -------------- | ------------ | ---------------------------------------------------- | -------- |
 * | before `hi`    | none         | the last row of `value-quotes`: a word follows       | text     |
 * | before `,`     | in quotation | `endsValue()`: `then` after the comma is no key      | text     |
 * | before `}`     | pairs before | `endsValue()`: the bracket closes the object         | the end  |
 */

/** After the opening quote. A string that ends in the same chunk is cut out of it at once. */
export function startString(open: LenientString, text: string, start: number, isKey: boolean): number {
  const end = Char.endOfPlainText(text, start);
  if (end < text.length && text.charCodeAt(end) === Char.QUOTE) {
    const ends = cleanEndAt(open.document, text, end, isKey);
    if (ends === ENDS) {
      const value = text.slice(start, end);
      if (isKey) open.document.newKey(value);
      else open.document.string(value);
      return end + 1;
    }
    if (ends !== UNCLEAR) {
      open.begin(isKey, "", text.slice(start, end));
      return open.cursor.holdEnd(end, ends === OPEN_COMMA);
    }
  }
  open.begin(isKey, "");
  return continueFrom(open, text, start, end);
}

export function continueString(open: LenientString, text: string, start: number): number {
  return continueFrom(open, text, start, endOfPart(open, text, start));
}

/** @param end the index of the next quote, backslash or control character */
function continueFrom(open: LenientString, text: string, start: number, end: number): number {
  if (end === text.length && end > start) {
    // The usual chunk of a long string.
    const last = text.charCodeAt(end - 1);
    if (open.brackets === 0 && (open.document.inKey || !mayBeTail(last))) {
      open.token.fresh += text.slice(start);
      open.previous = last;
      return end;
    }
  }
  if (end < text.length && text.charCodeAt(end) === Char.QUOTE && open.innerQuotes + open.moreQuotes === 0) {
    const ends = cleanEndAt(open.document, text, end, open.document.inKey);
    if (ends !== UNCLEAR) {
      if (end > start) {
        open.token.fresh += text.slice(start, end);
        open.previous = text.charCodeAt(end - 1);
      }
      if (ends !== ENDS) return open.cursor.holdEnd(end, ends === OPEN_COMMA);
      open.end();
      return end + 1;
    }
  }
  return open.document.inKey ? readKey(open, text, start, end) : readValue(open, text, start, end);
}

/** The short cut: does the quote at `i` certainly end the string, or do more text or the look-ahead decide? */
export function cleanEndAt(
  { nesting, cursor }: OpenDocument,
  text: string,
  i: number,
  isKey: boolean,
): number {
  if (nesting.depth === 0) return UNCLEAR;
  const ends = cleanEnd(text, i + 1, isKey, nesting.inArray, false);
  if (ends === ENDS || ends === UNCLEAR) return ends;
  // The string may have ended before ", ", so that is not shown before the next character.
  if (!isKey && i > 0 && mayBeTail(text.charCodeAt(i - 1))) return UNCLEAR;
  return cursor.mayWait(text.length - i) ? ends : UNCLEAR;
}

function readKey(open: LenientString, text: string, from: number, end: number): number {
  let start = from;
  let i = end;
  let raw = false;
  while (i < text.length && text.charCodeAt(i) < Char.SPACE) {
    open.take(text, start, i, raw);
    const next = readLineInKey(open, text, i);
    if (next !== i) return next;
    start = i;
    raw = true;
    i = endOfPart(open, text, i + 1);
  }
  open.take(text, start, i, raw);
  if (i === text.length) return i;
  if (text.charCodeAt(i) === Char.BACKSLASH) return beginEscape(open, i);
  if (open.document.nesting.depth === 0) return readQuoteOfRoot(open, text, i);
  return readQuoteInKey(open, text, start, i);
}

function readValue(open: LenientString, text: string, start: number, end: number): number {
  const { cursor } = open;
  const { depth } = open.document.nesting;
  let i = end;
  const raw = i < text.length && text.charCodeAt(i) < Char.SPACE;
  if (raw) i = endOfPart(open, text, i + 1, true);
  if (i < text.length && text.charCodeAt(i) === Char.BACKSLASH) {
    open.take(text, start, i, raw);
    return beginEscape(open, i);
  }
  // The string may have ended before ", ", so that is not shown before the next character.
  const hasTail = i > start && depth > 0 && mayBeTail(text.charCodeAt(i - 1));
  const tail = hasTail ? startOfTail(text, start, i, cursor.lookAhead - 1) : i;
  open.take(text, start, tail, raw);
  if (i < text.length) {
    if (depth === 0) return readQuoteOfRoot(open, text, i);
    return readQuoteInValue(open, text, start, tail, i, raw);
  }
  if (tail === i) return i;
  return cursor.ended ? endAtTail(open, text, tail, raw) : cursor.hold(tail);
}

/**
 * Returns the index of the next quote or backslash, or the length of the text.
 *
 * @param raw whether the part may contain control characters. Else it ends before one
 */
function endOfPart(open: LenientString, text: string, start: number, raw = false): number {
  const { closingQuotes } = open;
  if (closingQuotes === '"') return raw ? endOfRawText(text, start) : Char.endOfPlainText(text, start);
  let i = start;
  for (; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (
      character === Char.BACKSLASH ||
      (character < Char.SPACE && !raw) ||
      closingQuotes.includes(text.charAt(i))
    )
      break;
  }
  return i;
}

function beginEscape(open: LenientString, i: number): number {
  if (open.previous === Char.COLON) open.isOdd = true;
  open.previous = Char.SPACE;
  open.sawEscape = true;
  open.document.state = State.ESCAPE;
  return i + 1;
}

/** After a backslash. */
export function continueEscape(open: LenientString, text: string, i: number, character: number): number {
  const { document } = open;
  if (open.isRaw && !open.closingQuotes.includes(text.charAt(i))) {
    open.report("escape", i - 1);
    open.token.fresh += "\\";
    document.state = State.STRING;
    return i;
  }
  if (character === Char.LOWER_U) {
    open.hex = "";
    document.state = State.UNICODE;
    return i + 1;
  }
  if (character === Char.LINE_FEED || character === Char.CARRIAGE_RETURN)
    return continueLine(open, text, i, character);
  // A short cut: most escapes are \n, \" and \\.
  const mayBeText = open.isOdd || (character >= Char.LOWER_B && character !== Char.LOWER_N);
  const isInText = mayBeText && isText(open, text, i, character);
  if (isInText === undefined) return open.cursor.hold(i);
  const meaning = isInText ? undefined : Char.escaped(character);
  if (meaning === undefined && isNameCharacter().test(text.charAt(i))) return names(open, text, i, "\\");
  document.state = State.STRING;
  if (isInText) {
    open.report("escape", i - 1);
    open.token.fresh += "\\";
    open.end();
    return i + 1;
  }
  if (meaning === undefined) {
    if (damages().test(text.charAt(i))) open.isDamaged = open.isOdd = true;
    // The backslash is part of the text, except before a quote, and in `\_` of Markdown.
    open.report("escape", i - 1);
    if (!isQuote(text.charCodeAt(i)) && text.charAt(i) !== "_") open.token.fresh += "\\";
  }
  open.token.fresh += meaning ?? text.charAt(i);
  return i + 1;
}

/** In the digits after `\u`. */
export function continueUnicode(open: LenientString, text: string, i: number, character: number): number {
  if (!Char.isHexDigit(character)) {
    if (character === Char.LINE_FEED || character === Char.CARRIAGE_RETURN)
      return continueLine(open, text, i, character);
    return names(open, text, i, `\\u${open.hex}`);
  }
  open.hex += text.charAt(i);
  if (open.hex.length < 4) return i + 1;
  open.token.fresh += String.fromCharCode(Number.parseInt(open.hex, 16));
  open.document.state = State.STRING;
  return i + 1;
}

/** After a backslash that is part of the text, and maybe `u` and digits. */
function names(open: LenientString, text: string, i: number, read: string): number {
  const { cursor, document } = open;
  const end = endOfNames(document.ahead.begin(text, i), i, open.inPath);
  if (end === undefined) return cursor.hold(i);
  document.state = State.STRING;
  open.isDamaged = open.isOdd = true;
  open.report("escape", i - read.length);
  open.token.fresh += read;
  let start = i;
  for (const name of text.slice(i, Number(end)).split("\\")) {
    if (start > i) {
      open.report("escape", start - 1);
      open.token.fresh += "\\";
    }
    open.take(text, start, start + name.length, false);
    start += name.length + 1;
  }
  return Number(end);
}

/** A backslash before a line break: the text continues in the next line, as in JavaScript and Python. */
function continueLine(open: LenientString, text: string, i: number, character: number): number {
  const { cursor, document } = open;
  const end = character === Char.LINE_FEED ? i : i + 1;
  if (end === text.length && !cursor.ended) return cursor.hold(i);
  document.state = State.STRING;
  open.report("escape", i - 1);
  if (Char.characterAt(text, end) !== Char.LINE_FEED) return i + 1;
  cursor.position.newLine(end);
  return end + 1;
}

const restOfRawText = /[^"\\]*/y;

/** The same as `endOfPlainText()`, but control characters are part of the text. */
function endOfRawText(text: string, start: number): number {
  restOfRawText.lastIndex = start;
  restOfRawText.test(text);
  return restOfRawText.lastIndex;
}
