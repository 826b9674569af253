import { type Literal, literalOf, literalTrue } from "../json/scan/literal.js";
import { Allow } from "../json/allow.js";
import * as Kind from "../json/build/kind.js";
import { kindsAtStart } from "../json/build/kinds.js";
import { maxPartialNumber, OpenNumber, partialNumber } from "../json/scan/number.js";
import { isBlank } from "../text/around/characters.js";
import { endsWord, isOpener } from "./characters.js";
import { cleanScalarEnd } from "./ahead/clean-ends.js";
import type { OpenDocument } from "./document.js";
import { LITERAL, NUMBER, VALUE } from "../json/scan/states.js";
import { isBareKeyAround } from "./ahead/keys.js";
import { endsNumber } from "./ahead/value-ends.js";
import type { Answer } from "./ahead/window.js";
import type { Words } from "./words.js";

/**
 * Reads numbers and literals, and hands over to `Words` what turns out to be a word: `12 kg`, `nullable`. In `{"a": 1,` the
 * next chunk decides whether the number ends at the comma: it does not before a digit, `1,234`.
 */
export class Scalars {
  private readonly number = new OpenNumber();
  private literal: Literal = literalTrue;
  /** How many characters of the literal were read. */
  private matched = 0;
  private readonly document: OpenDocument;
  private readonly words: Words;
  private readonly allow: number;

  constructor(document: OpenDocument, words: Words, allow: number) {
    this.document = document;
    this.words = words;
    this.allow = allow;
  }

  beginNumber(text: string, i: number, first: number): number {
    this.number.begin(first);
    this.document.token.begin("");
    this.document.state = NUMBER;
    return this.readNumber(text, i, i + 1);
  }

  continueNumber(text: string, i: number): number {
    return this.readNumber(text, i, i);
  }

  /** @param start where this chunk's part of the number begins */
  private readNumber(text: string, start: number, from: number): number {
    const { number, document } = this;
    const { token, cursor } = document;
    const i = number.read(text, from);
    const ends = i < text.length && number.whole && this.endsAt(text, i);
    if (ends === true && number.value !== undefined) {
      document.leaf(number.value);
      return i;
    }
    token.fresh += text.slice(start, i);
    if (ends === true) {
      this.endNumber();
      return i;
    }
    if (i === text.length) return i;
    if (ends === undefined) return cursor.holdEnd(i, true);
    return this.toWord(text, i, token.whole, number.whole);
  }

  endNumber(): void {
    this.document.leaf(this.number.value ?? Number(this.document.token.end()));
  }

  beginLiteral(text: string, i: number, first: number): number {
    this.literal = literalOf(first) as Literal;
    this.matched = 1;
    this.document.state = LITERAL;
    return this.continueLiteral(text, i + 1);
  }

  continueLiteral(text: string, start: number): number {
    const { word } = this.literal;
    let i = start;
    while (this.matched < word.length && i < text.length) {
      if (text.charCodeAt(i) !== word.charCodeAt(this.matched))
        return this.toWord(text, i, this.literalSoFar, false);
      this.matched++;
      i++;
    }
    if (i === text.length) return i;
    const ends = this.endsAt(text, i);
    if (ends === undefined) return this.document.cursor.holdEnd(i, true);
    if (!ends) return this.toWord(text, i, word, true);
    this.document.leaf(this.literal.value);
    return i;
  }

  private get literalSoFar(): string {
    return this.literal.word.slice(0, this.matched);
  }

  /** Does the token certainly end before this place? */
  private endsAt(text: string, i: number): Answer {
    const { inArray, depth } = this.document.nesting;
    const ends = cleanScalarEnd(text, i, !inArray && depth > 0);
    return ends === undefined && !this.document.cursor.mayWait(1) ? false : ends;
  }

  /** Ends the token that the cursor holds. */
  end(): void {
    if (this.document.state === NUMBER) this.endNumber();
    else this.document.leaf(this.literal.value);
  }

  /** At a character after a number or literal, which may be the start of a word without quotes. */
  private toWord(text: string, i: number, read: string, isWhole: boolean): number {
    const { document } = this;
    const { ahead, cursor, nesting } = document;
    const { depth } = nesting;
    if (isWhole) {
      ahead.begin(text, i, cursor.ended);
      const ends = depth === 0 ? endsWord(text.charCodeAt(i)) : endsNumber(ahead, i, depth);
      if (ends === undefined) return cursor.hold(i);
      if (ends) {
        this.end();
        return i;
      }
    }
    if (depth === 0) return cursor.reject(i);
    const isOther = nesting.inArray && (this.allow & (Allow.NUM | Allow.NULL | Allow.BOOL)) === 0;
    const isLiteral = document.state === LITERAL;
    this.keep(); // as if the chunk ended here: the guard may refuse a number, and `allow` show it
    return (isOther ? this.readOther(text, i, read, isLiteral) : undefined) ?? this.words.beginValue(i, read);
  }

  /** The marker of a list, `- "a"` or `1. "a"`, or a key after an array: `[1, name: 2`. */
  private readOther(text: string, i: number, read: string, isLiteral: boolean): number | undefined {
    const { document } = this;
    const { ahead, cursor, nesting } = document;
    ahead.begin(text, i, cursor.ended);
    if (isLiteral) {
      const isKey = nesting.children > 0 && isBareKeyAround(ahead, i, nesting.depth, read);
      if (isKey === undefined) return cursor.hold(i);
      return isKey ? this.words.beginKeyAfterArray(i, read) : undefined;
    }
    if (!marker.test(read) || !isBlank(text.charCodeAt(i))) return undefined;
    const value = ahead.skipBlank(i);
    if (value < 0) return ahead.unlessMore(false) === undefined ? cursor.hold(i) : undefined;
    if (!ahead.isQuote(value) && !isOpener(ahead.at(value))) return undefined;
    document.report("stray_text", i - read.length);
    document.state = VALUE;
    return i;
  }

  /** The chunk ends inside the token. Shows it if `allow` permits. It may become a string without quotes: `12 kg`. */
  keep(): void {
    const { allow } = this;
    const { listener, state, token } = this.document;
    if (state === NUMBER) {
      const grows = (allow & Allow.NUM) !== 0 && token.before.length < maxPartialNumber;
      token.keep();
      const shown = grows ? partialNumber(token.whole) : undefined;
      listener.begin(kindsAtStart(Kind.NUMBER, true));
      if (shown !== undefined) listener.show(shown);
      return;
    }
    const { value, kind } = this.literal;
    listener.begin(kindsAtStart(kind, true));
    if ((allow & (value === null ? Allow.NULL : Allow.BOOL)) !== 0) listener.show(value);
  }

  /** The text ends. A number at the root is complete only then. */
  finish(): void {
    const { state, nesting } = this.document;
    if (state === NUMBER && nesting.depth === 0 && this.number.whole) this.endNumber();
    else if (state === LITERAL && this.matched === this.literal.word.length) this.end();
  }

  expected(): string {
    if (this.document.state === LITERAL) return `"${this.literal.word}"`;
    return this.number.whole ? "the end of the number" : "a digit";
  }
}

const marker = /^(?:-|\d{1,2}\.)$/;
