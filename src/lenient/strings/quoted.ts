import {
  BACKSLASH,
  CARRIAGE_RETURN,
  characterAt,
  COLON,
  endOfPlainText,
  escaped,
  isHexDigit,
  LINE_FEED,
  LOWER_B,
  LOWER_N,
  LOWER_U,
  QUOTE,
  SPACE,
} from "../../json/scan/characters.js";
import { cleanEnd, ENDS, OPEN_COMMA, UNCLEAR } from "../ahead/clean-ends.js";
import type { TextCursor } from "../cursor.js";
import type { OpenDocument } from "../document.js";
import { damages, endOfNames, isNameCharacter, isText } from "./backslashes.js";
import { readLineInKey, readQuoteInKey } from "./key-quotes.js";
import type { LenientString } from "./open-string.js";
import { isQuote } from "../characters.js";
import { ESCAPE, STRING, UNICODE } from "../../json/scan/states.js";
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
 * `{"a": "b"` and then `, "c` makes these calls: `start()` reads `a`, and then `b`. More text decides whether that ends
 * at its quote, so `start()` holds. After the second chunk `,` and `"` are clear, so the look-ahead is not asked.
 *
 * In `{"a": "He said "hi", then left"}` the quotes after the first of the string mean:
 *
 * | quote          | doubt        | what decides                                         | it is    |
 * | -------------- | ------------ | ---------------------------------------------------- | -------- |
 * | before `hi`    | none         | the last row of `value-quotes`: a word follows       | text     |
 * | before `,`     | in quotation | `endsValue()`: `then` after the comma is no key      | text     |
 * | before `}`     | pairs before | `endsValue()`: the bracket closes the object         | the end  |
 */
export class Quoted {
  private readonly open: LenientString;
  private readonly cursor: TextCursor;
  private readonly document: OpenDocument;
  /** The digits after `\u`. */
  private hex = "";

  constructor(open: LenientString) {
    this.open = open;
    this.cursor = open.cursor;
    this.document = open.document;
  }

  /** After the opening quote. A string that ends in the same chunk is cut out of it at once. */
  start(text: string, start: number, isKey: boolean): number {
    const end = endOfPlainText(text, start);
    if (end < text.length && text.charCodeAt(end) === QUOTE) {
      const ends = this.cleanEndAt(text, end, isKey);
      if (ends === ENDS) {
        const value = text.slice(start, end);
        if (isKey) this.document.newKey(value);
        else this.document.string(value);
        return end + 1;
      }
      if (ends !== UNCLEAR) {
        this.open.begin(isKey, "", text.slice(start, end));
        return this.cursor.holdEnd(end, ends === OPEN_COMMA);
      }
    }
    this.open.begin(isKey, "");
    return this.continueFrom(text, start, end);
  }

  continue(text: string, start: number): number {
    return this.continueFrom(text, start, this.endOfPart(text, start));
  }

  /** @param end the index of the next quote, backslash or control character */
  private continueFrom(text: string, start: number, end: number): number {
    const { open } = this;
    if (end === text.length && end > start) {
      // The usual chunk of a long string.
      const last = text.charCodeAt(end - 1);
      if (open.brackets === 0 && (this.document.inKey || !mayBeTail(last))) {
        open.token.fresh += text.slice(start);
        open.previous = last;
        return end;
      }
    }
    if (end < text.length && text.charCodeAt(end) === QUOTE && open.innerQuotes + open.moreQuotes === 0) {
      const ends = this.cleanEndAt(text, end, this.document.inKey);
      if (ends !== UNCLEAR) {
        if (end > start) {
          open.token.fresh += text.slice(start, end);
          open.previous = text.charCodeAt(end - 1);
        }
        if (ends !== ENDS) return this.cursor.holdEnd(end, ends === OPEN_COMMA);
        open.end();
        return end + 1;
      }
    }
    return this.document.inKey ? this.readKey(text, start, end) : this.readValue(text, start, end);
  }

  /** The short cut: does the quote at `i` certainly end the string, or do more text or the look-ahead decide? */
  cleanEndAt(text: string, i: number, isKey: boolean): number {
    const { nesting } = this.document;
    if (nesting.depth === 0) return UNCLEAR;
    const ends = cleanEnd(text, i + 1, isKey, nesting.inArray, false);
    if (ends === ENDS || ends === UNCLEAR) return ends;
    // The string may have ended before ", ", so that is not shown before the next character.
    if (!isKey && i > 0 && mayBeTail(text.charCodeAt(i - 1))) return UNCLEAR;
    return this.cursor.mayWait(text.length - i) ? ends : UNCLEAR;
  }

  private readKey(text: string, from: number, end: number): number {
    const { open } = this;
    let start = from;
    let i = end;
    let raw = false;
    while (i < text.length && text.charCodeAt(i) < SPACE) {
      open.take(text, start, i, raw);
      const next = readLineInKey(open, text, i);
      if (next !== i) return next;
      start = i;
      raw = true;
      i = this.endOfPart(text, i + 1);
    }
    open.take(text, start, i, raw);
    if (i === text.length) return i;
    if (text.charCodeAt(i) === BACKSLASH) return this.beginEscape(i);
    if (this.document.nesting.depth === 0) return readQuoteOfRoot(open, text, i);
    return readQuoteInKey(open, text, start, i);
  }

  private readValue(text: string, start: number, end: number): number {
    const { open, cursor } = this;
    const { depth } = this.document.nesting;
    let i = end;
    const raw = i < text.length && text.charCodeAt(i) < SPACE;
    if (raw) i = this.endOfPart(text, i + 1, true);
    if (i < text.length && text.charCodeAt(i) === BACKSLASH) {
      open.take(text, start, i, raw);
      return this.beginEscape(i);
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
  private endOfPart(text: string, start: number, raw = false): number {
    const { closers } = this.open;
    if (closers === '"') return raw ? endOfRawText(text, start) : endOfPlainText(text, start);
    let i = start;
    for (; i < text.length; i++) {
      const character = text.charCodeAt(i);
      if (character === BACKSLASH || (character < SPACE && !raw) || closers.includes(text.charAt(i))) break;
    }
    return i;
  }

  private beginEscape(i: number): number {
    if (this.open.previous === COLON) this.open.isOdd = true;
    this.open.previous = SPACE;
    this.open.sawEscape = true;
    this.document.state = ESCAPE;
    return i + 1;
  }

  /** After a backslash. */
  escape(text: string, i: number, character: number): number {
    const { open, document } = this;
    if (open.isRaw && !open.closers.includes(text.charAt(i))) {
      open.report("escape", i - 1);
      open.token.fresh += "\\";
      document.state = STRING;
      return i;
    }
    if (character === LOWER_U) {
      this.hex = "";
      document.state = UNICODE;
      return i + 1;
    }
    if (character === LINE_FEED || character === CARRIAGE_RETURN)
      return this.continueLine(text, i, character);
    // A short cut: most escapes are \n, \" and \\.
    const mayBeText = open.isOdd || (character >= LOWER_B && character !== LOWER_N);
    const isInText = mayBeText && isText(open, text, i, character);
    if (isInText === undefined) return this.cursor.hold(i);
    const meaning = isInText ? undefined : escaped(character);
    if (meaning === undefined && isNameCharacter().test(text.charAt(i))) return this.names(text, i, "\\");
    document.state = STRING;
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
  unicode(text: string, i: number, character: number): number {
    const { open, hex } = this;
    if (!isHexDigit(character)) {
      if (character === LINE_FEED || character === CARRIAGE_RETURN)
        return this.continueLine(text, i, character);
      return this.names(text, i, `\\u${hex}`);
    }
    this.hex = hex + text.charAt(i);
    if (this.hex.length < 4) return i + 1;
    open.token.fresh += String.fromCharCode(Number.parseInt(this.hex, 16));
    this.document.state = STRING;
    return i + 1;
  }

  /** After a backslash that is part of the text, and maybe `u` and digits. */
  private names(text: string, i: number, read: string): number {
    const { open, cursor, document } = this;
    document.ahead.begin(text, i, cursor.ended);
    const end = endOfNames(document.ahead, i, open.inPath);
    if (end === undefined) return cursor.hold(i);
    document.state = STRING;
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
  private continueLine(text: string, i: number, character: number): number {
    const { open, cursor, document } = this;
    const end = character === LINE_FEED ? i : i + 1;
    if (end === text.length && !cursor.ended) return cursor.hold(i);
    document.state = STRING;
    open.report("escape", i - 1);
    if (characterAt(text, end) !== LINE_FEED) return i + 1;
    cursor.position.newLine(end);
    return end + 1;
  }
}

const restOfRawText = /[^"\\]*/y;

/** The same as `endOfPlainText()`, but control characters are part of the text. */
function endOfRawText(text: string, start: number): number {
  restOfRawText.lastIndex = start;
  restOfRawText.test(text);
  return restOfRawText.lastIndex;
}
