import { isKeyCharacter } from "../extract/characters.js";
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PARENTHESIS,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  isDigit,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from "../scan/characters.js";
import { depthOf, ExtraTokens } from "./extra-tokens.js";
import { type Answer, type Doubt, IN_QUOTATION, isCloser, NO_DOUBT, QUOTED_BEFORE } from "./text-ahead.js";

/** Answers whether the text ahead continues as JSON. */
export class LookAhead extends ExtraTokens {
  /** Whether the quote at this place begins the next key or element, so the string before it has no closing quote. */
  missesQuote(quote: number, depth: number, doubt: Doubt): Answer {
    this.requireWhole();
    if (this.nesting.isArray(depth)) return this.isStringElement(quote, depth);
    return this.isKey(quote, doubt === NO_DOUBT ? QUOTED_BEFORE : doubt);
  }

  /** Whether the quote at this place begins the value of a key that has no closing quote. */
  missesQuoteOfKey(quote: number): Answer {
    this.requireWhole();
    return this.isStringValue(quote);
  }

  /** Whether the text before this place is a stray word before the next key: `COMMENT "key":`. */
  isBeforeKey(start: number): Answer {
    const i = this.skipBlank(start);
    if (i < 0) return this.unlessMore(false);
    return this.isQuote(i) && this.isKey(i, NO_DOUBT);
  }

  /** Whether a value may end before this place: a comma and the next value, a closing bracket, or the end follows. */
  continuesAfterValue(start: number, depth: number, doubt: Doubt): Answer {
    const i = this.skipBlank(start);
    if (i < 0) return this.atEnd;
    const character = this.text.charCodeAt(i);
    if (depth === 0) {
      const isOver = this.sawLine || character === COMMA || isCloser(character);
      return isOver || this.endsDocument(i);
    }
    switch (character) {
      case COMMA:
        return this.continuesAfterComma(i + 1, depth, doubt);
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
      case CLOSE_PARENTHESIS: {
        const closed = depthOf(this.nesting, character !== CLOSE_BRACE, depth);
        if (closed === depth) return true;
        if (closed === 0 && doubt !== NO_DOUBT) return false;
        return this.continuesAfterValue(i + 1, (closed === 0 ? depth : closed) - 1, doubt);
      }
      case OPEN_BRACE:
        return this.nesting.isArray(depth) || (depth > 1 && this.nesting.isArray(depth - 1));
      case OPEN_BRACKET:
        return this.nesting.isArray(depth);
      case COLON:
        // ["a": 1] is an error, rather than a string.
        return doubt === NO_DOUBT && this.nesting.isArray(depth);
    }
    const ends = this.endsDocument(i);
    if (ends !== false) return ends;
    // A comma is missing. Valid JSON does not get here, so text that is not decided is not JSON.
    this.requireWhole();
    const spaced = i > start;
    if (!this.nesting.isArray(depth)) return (spaced || this.isQuote(i)) && this.isKey(i, doubt);
    return spaced && (this.isQuote(i) ? this.isStringElement(i, depth) : this.isSimpleElement(i));
  }

  /**
   * After a quote and white space: whether words follow that are not part of the string: in an array the next element,
   * `"a" b", "c"`, and in an object stray text before its end, `"a" b }`.
   */
  isBeforeStrayWord(start: number, depth: number): Answer {
    const { text, nesting } = this;
    const first = this.skipBlank(start);
    if (first < 0) return this.unlessMore(false);
    if (first === start || !isKeyCharacter(text.charCodeAt(first))) return false;
    const inArray = nesting.isArray(depth);
    for (let i = first; i < this.end; i++) {
      const character = text.charCodeAt(i);
      if (character === CLOSE_BRACE) return !inArray;
      if (character === CLOSE_BRACKET || character === COMMA) return inArray;
      if (this.isQuote(i)) return inArray && this.isBeforeSeparator(i + 1);
      if (!isKeyCharacter(character) && character !== SPACE) return false;
    }
    return this.unlessMore(false);
  }

  /** After a comma: whether the next value or key follows. */
  continuesAfterComma(start: number, depth: number, doubt: Doubt): Answer {
    const i = this.skipBlank(start);
    if (i < 0) return this.atEnd;
    const character = this.text.charCodeAt(i);
    if (character === COMMA || isCloser(character)) return true;
    const ends = this.endsDocument(i);
    if (ends !== false) return ends;
    if (!this.nesting.isArray(depth)) {
      if (character === OPEN_BRACE) return depth > 1 && this.nesting.isArray(depth - 1);
      // With no quote inside the string, only JSON looks like this.
      if (doubt === NO_DOUBT && character === QUOTE) return true;
      return character === DOT || this.isKey(i, this.sawLine ? NO_DOUBT : doubt, doubt === NO_DOUBT);
    }
    if (character === OPEN_BRACE || character === OPEN_BRACKET) return true;
    if (this.isQuote(i) && doubt !== IN_QUOTATION) return true;
    if (doubt === NO_DOUBT && (isDigit(character) || character === MINUS)) return true;
    return this.isElement(i, depth, doubt);
  }

  /**
   * After a closing bracket of the wrong kind: whether the text continues the object at depth `inner`, rather than the
   * container at depth `outer`, which a bracket of this kind would leave open.
   */
  continuesObject(start: number, outer: number, inner: number): Answer {
    if (inner === 0 || this.nesting.isArray(inner)) return false;
    const i = this.skipBlank(start);
    if (i < 0) return this.unlessMore(false);
    if (this.text.charCodeAt(i) !== COMMA || (outer > 0 && !this.nesting.isArray(outer))) return false;
    const key = this.skipBlank(i + 1);
    if (key < 0) return this.unlessMore(false);
    return this.isKey(key, NO_DOUBT);
  }

  /** After a closing bracket that would end the document: whether the text continues in the array at this depth. */
  continuesArray(start: number, depth: number): Answer {
    if (depth === 0 || !this.nesting.isArray(depth)) return false;
    const i = this.skipBlank(start);
    if (i < 0) return this.unlessMore(false);
    const character = this.text.charCodeAt(i);
    return character === COMMA || character === CLOSE_BRACE || character === CLOSE_BRACKET;
  }

  /** Whether a quoted key and its value follow, with or without a colon. */
  continuesMembers(start: number): Answer {
    this.requireWhole();
    const i = this.skipBlank(start);
    if (i < 0) return this.atEnd;
    const end = this.isQuote(i) ? this.endOfString(i) : 0;
    if (end < 0) return this.atEnd;
    return end > 0 && this.continuesAfterKey(end);
  }

  /**
   * Whether a key ends before this place: a colon follows, or a value whose colon is missing.
   *
   * @param mayAdjoin whether this value may be a string directly after the key: `"key""value"`
   */
  continuesAfterKey(start: number, mayAdjoin = false): Answer {
    const i = this.skipBlank(start);
    if (i < 0) return this.atEnd;
    const character = this.text.charCodeAt(i);
    if (character === COLON || character === EQUALS) return true;
    if (character === OPEN_BRACE || character === OPEN_BRACKET) return true;
    return this.isQuote(i) ? (mayAdjoin || i > start) && this.isStringValue(i) : this.isSimpleWord(i);
  }

  /**
   * Whether a key and its colon begin here: `"key":`, `'key':` or `key:`.
   *
   * @param afterWord whether a stray word may come before the key
   */
  isKey(start: number, doubt: Doubt, afterWord = false): Answer {
    let i = start;
    if (this.isQuote(start)) {
      i = this.endOfString(start);
      if (i < 0) return this.atEnd;
    } else {
      while (i < this.end && (isKeyCharacter(this.text.charCodeAt(i)) || this.text.charCodeAt(i) === DOT))
        i++;
      if (i === start) return false;
    }
    const key = this.text.slice(start, i);
    // The opening quote is missing: b":
    if (i < this.end && this.text.charCodeAt(i) === QUOTE && !this.isQuote(start)) i++;
    const colon = this.skipBlank(i);
    if (colon < 0) return this.atEnd;
    if (key.endsWith(".")) return false;
    if (this.text.charCodeAt(colon) !== COLON) {
      return (
        afterWord && colon > i && !this.isQuote(start) && this.isQuote(colon) && this.isKey(colon, doubt)
      );
    }
    return doubt === NO_DOUBT || this.mayBeKey(key, this.isQuote(start), doubt);
  }

  /** After a quote inside the string the schema decides, if it names its keys. */
  private mayBeKey(key: string, isQuoted: boolean, doubt: Doubt): boolean {
    const known = this.hints.knowsKey?.(isQuoted ? key.slice(1, -1) : key);
    return known ?? (isQuoted || doubt !== IN_QUOTATION);
  }

  /** Whether an element that ends before a comma or closing bracket begins here. */
  private isElement(i: number, depth: number, doubt: Doubt): Answer {
    return this.isQuote(i) ? this.isStringElement(i, depth) : this.isWord(i, doubt === NO_DOUBT);
  }

  /** Whether a string begins here, after which the array continues. */
  private isStringElement(start: number, depth: number): Answer {
    let i = start;
    for (;;) {
      const end = this.endOfString(i);
      if (end < 0) return this.atEnd;
      i = this.skipBlank(end);
      if (i < 0) return this.unlessMore(true);
      const character = this.text.charCodeAt(i);
      if (isCloser(character)) return true;
      if (character === COMMA) return this.continuesAfterComma(i + 1, depth, QUOTED_BEFORE);
      if (i === end) return false;
      if (!this.isQuote(i)) return this.isSimpleElement(i);
    }
  }

  /** Whether a string begins here, after which an object continues. */
  private isStringValue(start: number): Answer {
    const end = this.endOfString(start);
    const i = end < 0 ? end : this.skipBlank(end);
    if (i < 0) return this.atEnd;
    const character = this.text.charCodeAt(i);
    return character === COMMA || isCloser(character) || this.sawLine;
  }

  /** Whether a number in the document ends before this place. `12 kg`, `1/3` and, in an object, `1,234` do not. */
  endsNumber(start: number, depth: number): Answer {
    const inArray = this.nesting.isArray(depth);
    let i = start;
    if (this.text.charCodeAt(i) === COMMA) {
      if (inArray) return true;
      if (++i === this.end) return this.atEnd;
      if (!isDigit(this.text.charCodeAt(i))) return true;
      return this.isKey(i, NO_DOUBT);
    }
    i = this.skipBlank(start);
    if (i < 0) return this.atEnd;
    const character = this.text.charCodeAt(i);
    if (character === COMMA || isCloser(character) || this.sawLine) return true;
    const ends = this.endsDocument(i);
    if (ends !== false) return ends;
    if (character === OPEN_BRACE || character === OPEN_BRACKET) return true;
    if (!inArray) return (i > start || this.isQuote(i)) && this.isKey(i, NO_DOUBT);
    if (i === start) return false;
    return this.isQuote(i) ? true : this.isSimpleWord(i);
  }

  /** Whether a value without quotes ends before this line feed: a key, a closing bracket or a comma follows. */
  endsLine(start: number, depth: number): Answer {
    const i = this.skipBlank(start);
    if (i < 0) return this.atEnd;
    const character = this.text.charCodeAt(i);
    if (this.nesting.isArray(depth) || character === COMMA || isCloser(character)) return true;
    const ends = this.endsDocument(i);
    return ends === false ? this.isKey(i, NO_DOUBT) : ends;
  }
}
