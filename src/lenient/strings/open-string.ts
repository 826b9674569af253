import { newLines } from "../../json/scan/move-position.js";
import { COLON, highSurrogateAtEnd, LINE_FEED, QUOTE, SPACE } from "../../json/scan/characters.js";
import { isBlank, isKeyCharacter } from "../../text/around/characters.js";
import type { JsonRepairKind } from "../../json/repair.js";
import { closingQuotesOf, isCloser, isOpener, startOfSpaces } from "../characters.js";
import type { TextCursor } from "../cursor.js";
import type { OpenDocument } from "../document.js";
import * as State from "../../json/scan/states.js";
import { mayBeTail } from "./tail.js";
import type { TokenText } from "../token-text.js";
import { type Doubt, IN_QUOTATION, NO_DOUBT, QUOTED_BEFORE } from "../ahead/window.js";

/**
 * The open string or key: how it began, and the quotes and brackets that were in it. `grow()` tells the document what is
 * certain of it. Spaces at its end are not certain, because they are no part of a string whose closing quote is missing.
 */
export class LenientString {
  /** The quotes that may close it. */
  closingQuotes = '"';
  /** The last character that was read; a space after an escape, and `NOTHING` at the start. */
  previous: number = NOTHING;
  sawEscape = false;
  /** Was there a backslash before a letter that is no escape? */
  isDamaged = false;
  /** Was there a colon before a backslash, or is the string damaged? Else most escapes are what they seem to be. */
  isOdd = false;
  /** Is each backslash text: `r'\d'`? */
  isRaw = false;
  /** Was `C:\\\\` in it? */
  inPath = false;
  /** The number of quotes in it. */
  innerQuotes = 0;
  /** The number of further opening quotes, as many of which must close it: `""a""`, `"""a"""`. */
  moreQuotes = 0;
  /**
   * The number of open brackets in it, from one directly before an inner quote on: `as in {"a": [1]}`. Before the first
   * one white space or a key without quotes may be between them.
   */
  brackets = 0;
  /** The digits after `\u`. */
  hex = "";
  /** May it be a key (`OpenDocument.mayBeKey()`)? Then it is not shown. */
  mayBeKey = false;
  readonly document: OpenDocument;
  readonly cursor: TextCursor;
  readonly token: TokenText;
  /** Did the last inner quote open a quotation? */
  private inQuotation = false;
  /** Are the spaces at the end too many to withhold? */
  private showsSpaces = false;
  /** Must a guard see the string before a repair in it is reported? Then the reports do not depend on the chunks. */
  private readonly isGuarded: boolean;

  constructor(document: OpenDocument, isGuarded: boolean) {
    this.document = document;
    this.cursor = document.cursor;
    this.token = document.token;
    this.isGuarded = isGuarded;
  }

  /** @param read the part after the opening quote that was read. @param fresh the part of it in this chunk */
  begin(isKey: boolean, read: string, fresh = ""): void {
    const { document } = this;
    this.token.begin(read);
    this.token.fresh = fresh;
    const all = fresh === "" ? read : fresh;
    this.closingQuotes = '"';
    this.previous = all === "" ? NOTHING : all.charCodeAt(all.length - 1);
    this.sawEscape = false;
    this.isRaw = this.isDamaged = this.isOdd = false;
    this.inPath = false;
    this.innerQuotes = 0;
    this.inQuotation = false;
    this.moreQuotes = 0;
    this.brackets = 0;
    this.showsSpaces = false;
    this.mayBeKey = !isKey && document.mayBeKey("", false);
    document.inKey = isKey;
    document.state = State.STRING;
  }

  /** Begins a string in other quotes. */
  beginQuoted(text: string, i: number, isKey: boolean): number {
    this.begin(isKey, "");
    this.closingQuotes = closingQuotesOf(text.charCodeAt(i));
    return i + 1;
  }

  /** Begins a value in which each backslash is text. */
  beginRaw(text: string, i: number): number {
    const start = this.beginQuoted(text, i, false);
    this.isRaw = this.isDamaged = this.isOdd = true;
    return start;
  }

  /** The chunk ends in the string. */
  keep(): void {
    const { token, document } = this;
    this.mayBeKey &&= !this.cursor.ended && document.mayBeKey(token.whole, false);
    if (this.mayBeKey) {
      token.keep();
      return;
    }
    const { fresh } = token;
    const certain = this.lengthOfCertain(fresh);
    const piece = certain === fresh.length ? fresh : fresh.slice(0, certain);
    token.add(piece);
    token.fresh = certain === fresh.length ? "" : fresh.slice(certain);
    if (!document.inKey) document.grow(document.told ? piece : token.before);
  }

  private lengthOfCertain(fresh: string): number {
    const spaces = this.document.inKey ? fresh.length : this.startOfWithheld(fresh);
    return spaces < fresh.length ? spaces : fresh.length - highSurrogateAtEnd(fresh).length;
  }

  /** Up to `lookAhead` spaces are withheld. To hold more of them would take quadratic time. */
  private startOfWithheld(fresh: string): number {
    const start = startOfSpaces(fresh);
    if (start > 0) this.showsSpaces = false;
    this.showsSpaces ||= fresh.length - start > this.cursor.lookAhead;
    return this.showsSpaces ? fresh.length : start;
  }

  /** The chunk is plain text. Returns false if not all of it is certain. */
  readPlain(text: string): boolean {
    if (this.document.inKey || this.mayBeKey || this.brackets > 0 || this.closingQuotes !== '"') return false;
    const end = startOfSpaces(text);
    if (end === 0 || text.length - end > this.cursor.lookAhead) return false;
    if (mayBeTail(text.charCodeAt(end - 1))) return false;
    const { token, document } = this;
    const piece = token.fresh + text.slice(0, end);
    token.add(piece);
    token.fresh = text.slice(end);
    document.grow(piece);
    this.showsSpaces = false;
    this.previous = text.charCodeAt(text.length - 1);
    return true;
  }

  report(kind: JsonRepairKind, i: number): void {
    if (this.isGuarded && !this.document.inKey) this.keep();
    this.document.report(kind, i);
  }

  /**
   * Adds a part of the chunk.
   *
   * @param raw whether it may contain control characters
   */
  take(text: string, start: number, end: number, raw: boolean): void {
    if (start === end) return;
    this.previous = text.charCodeAt(end - 1);
    this.brackets = this.bracketsAfter(text, start, end);
    let from = start;
    for (let i = start; raw && i < end; i++) {
      const character = text.charCodeAt(i);
      if (character >= SPACE) continue;
      this.token.fresh += text.slice(from, i);
      from = i;
      this.report("control_character", i);
      if (character === LINE_FEED) this.cursor.position.newLine(i);
    }
    this.token.fresh += text.slice(from, end);
  }

  /** The number of open brackets after this part of the chunk. */
  bracketsAfter(text: string, start: number, end: number): number {
    let { brackets } = this;
    for (let i = start; brackets > 0 && i < end; i++) {
      const character = text.charCodeAt(i);
      if (isOpener(character)) brackets++;
      else if (isCloser(character)) brackets--;
    }
    return brackets;
  }

  /** White space around a line break before the closing quote is no part of the text. */
  dropSpace(text: string, start: number, end: number): void {
    this.report("control_character", start);
    newLines(this.cursor.position, text, start, end);
  }

  characterBefore(text: string, start: number, i: number): number {
    return i > start ? text.charCodeAt(i - 1) : this.previous;
  }

  /** Does the quote follow the opening quotes directly, so that it may be one of them? */
  isFirst(start: number, i: number): boolean {
    return i === start && this.previous === NOTHING && this.moreQuotes < 2;
  }

  /** Did it begin with three quotes, as in Python? */
  get isTriple(): boolean {
    return this.moreQuotes === 2;
  }

  /** A quote directly after the opening quote, which does not end the string: `""a""`. */
  openDoubled(i: number): number {
    this.report("doubled_quote", i);
    this.moreQuotes++;
    return i + 1;
  }

  /** Returns the index after as many quotes as the string began with; `undefined` if more text decides. */
  afterQuotes(text: string, i: number): number | undefined {
    const most = i + 1 + this.moreQuotes;
    let end = i + 1;
    while (end < most && end < text.length && this.closingQuotes.includes(text.charAt(end))) end++;
    return end === text.length && end < most && !this.cursor.ended ? undefined : end;
  }

  /** A quote that is part of the text. */
  keepQuote(text: string, i: number): number {
    this.report("inner_quote", i);
    this.token.fresh += text.charAt(i);
    this.previous = text.charCodeAt(i);
    return i + 1;
  }

  /** The same in a value. `left`: the character before it. */
  keepInnerQuote(text: string, i: number, left: number): number {
    // Only before the first one, because the whole text is looked up.
    const opens =
      isOpener(left) ||
      (this.innerQuotes === 0 &&
        (isBlank(left) || left === COLON) &&
        opened.test(this.token.whole.slice(-longestIndent)));
    this.keepQuote(text, i);
    this.innerQuotes++;
    this.inQuotation = !this.inQuotation && !isKeyCharacter(left) && left !== QUOTE;
    if (this.brackets === 0 && opens) this.brackets = 1;
    return i + 1;
  }

  get doubt(): Doubt {
    if (this.innerQuotes === 0) return NO_DOUBT;
    return this.inQuotation ? IN_QUOTATION : QUOTED_BEFORE;
  }

  /** The string has ended. */
  end(): void {
    const { document, token } = this;
    if (document.inKey) document.newKey(token.end());
    else if (document.told) {
      const { fresh } = token;
      token.begin("");
      document.string(fresh);
    } else document.string(token.end());
  }

  /** The string has ended before its last spaces, because its closing quote is missing. */
  endWithoutSpaces(): void {
    const { token } = this;
    token.fresh = token.fresh.slice(0, this.startOfWithheld(token.fresh));
    this.end();
  }
}

export const NOTHING = -1;

/** A bracket, and white space or a key without quotes, before the first quote: `{ "a": 1 }`, `{a: "b"}` as a text. */
const opened = /[[{]\s*(?:[\w$-]+\s*:\s*)?$/;
const longestIndent = 64;
