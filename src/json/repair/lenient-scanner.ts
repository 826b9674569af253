import {
  BACKSLASH,
  characterAt,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  HASH,
  isSpace,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SLASH,
  SPACE,
  STAR,
} from "../scan/characters.js";
import type { JsonParseErrorCode } from "../errors.js";
import { anyScalar, Kind } from "../build/kinds.js";
import type { JsonParserOptions } from "../options.js";
import { closingQuotes, parseBareValue, type JsonRepair, type JsonRepairKind } from "./repair.js";
import { Scanner } from "../scan/scanner.js";
import {
  AFTER_VALUE,
  BARE_KEY,
  BARE_VALUE,
  BLOCK_COMMENT,
  COMMENT_SLASH,
  COMMENT_STAR,
  DONE,
  ESCAPE,
  FIRST_ELEMENT,
  FIRST_KEY,
  KEY,
  LINE_COMMENT,
  LITERAL,
  QUOTE_SEEN,
  QUOTED,
  STRING,
  VALUE,
} from "../scan/states.js";

/**
 * Repairs the mistakes that models make. It reads valid JSON exactly as the strict scanner does. Where that one throws, it
 * repairs the text and reports the repair. There is one difference: the text after a quote decides whether the quote ends
 * the string, so a string is complete only when the next token has begun.
 */
export class LenientScanner extends Scanner {
  /** A number or literal may turn out to be a word without quotes. */
  protected override readonly alsoPossible: number = Kind.STRING;
  private readonly onRepair: ((repair: JsonRepair) => void) | undefined;

  /** The quotes that may close the open string. */
  private closers = "";
  /** Such a quote with the white space and comma after it. It becomes part of the text if the string continues. */
  private held = "";
  private heldComma = false;
  private heldLine = false;
  private quoteOffset = 0;
  /** The offset of the open bare word or comment. */
  private wordOffset = 0;
  /** Whether the last key had no quotes. Then the next key may have none either. */
  private bareKeys = false;
  private doubled = 0;
  /** The state to which a comment returns. */
  private resume = VALUE;

  constructor(options: JsonParserOptions, proseAfter?: (text: string, offset: number) => void) {
    super(options, proseAfter, endOfString);
    this.onRepair = options.onRepair;
  }

  /** @param truncated whether the text is known to be truncated, so a missing bracket is not the model's mistake */
  override finish(truncated: boolean): boolean {
    // The end of the text settles the states that wait for one more character.
    if (this.state === QUOTE_SEEN) this.endHeldString();
    if (this.state === LINE_COMMENT) this.state = this.resume;
    if (this.state === LITERAL && this.literalIsWhole) this.endLiteral();
    if (this.state === AFTER_VALUE && !truncated) {
      this.report("missing_closer", this.position.offset);
      while (this.builder.depth > 0) this.close(0);
    }
    return super.finish(truncated);
  }

  override expected(): string {
    switch (this.state) {
      case QUOTED:
        return "the end of the string";
      case BARE_VALUE:
        return '"," or a closing bracket';
      case BARE_KEY:
        return '":"';
      case BLOCK_COMMENT:
      case COMMENT_STAR:
        return '"*/"';
      default:
        return super.expected();
    }
  }

  protected override deviate(code: JsonParseErrorCode, text: string, i: number, character: number): number {
    switch (code) {
      case "control_character":
        this.report("control_character", this.position.offset + i);
        if (character === LINE_FEED) this.position.newLine(i);
        this.fresh += text.charAt(i);
        return i + 1;
      case "invalid_escape":
        return this.keepEscape(text, i, character);
      case "invalid_literal":
        return this.toBareValue(code, text, i, character, this.literalSoFar);
      case "invalid_number":
        return this.toBareValue(code, text, i, character, this.token + this.fresh);
      default:
        return this.repairBetweenTokens(code, text, i, character);
    }
  }

  protected override scanLenient(text: string, i: number, character: number): number {
    switch (this.state) {
      case QUOTED:
        return this.continueQuoted(text, i);
      case QUOTE_SEEN:
        return this.afterQuote(text, i, character);
      case BARE_VALUE:
        return this.continueBareValue(text, i);
      case BARE_KEY:
        return this.continueBareKey(text, i, character);
      default:
        return this.continueComment(text, i, character);
    }
  }

  /** Whether the text after the quote, in this chunk, decides that the string ends. In valid JSON it nearly always does. */
  protected override isEndOfString(text: string, after: number, isKey: boolean): boolean {
    if (isKey) return characterAt(text, after) === COLON;
    if (this.builder.depth === 0) return false;
    const i = pastSpace(text, after);
    const next = characterAt(text, i);
    if (this.builder.inArray) return next === COMMA || next === CLOSE_BRACKET;
    if (next !== COMMA) return next === CLOSE_BRACE;
    return characterAt(text, pastSpace(text, i + 1)) === QUOTE;
  }

  protected override closingQuote(text: string, after: number): number {
    this.state = QUOTE_SEEN;
    this.held = text.charAt(after - 1);
    this.heldComma = false;
    this.heldLine = false;
    this.quoteOffset = this.position.offset + after - 1;
    return after;
  }

  protected override endString(value: string, suffix: string, isKey: boolean): void {
    this.stringState = STRING;
    super.endString(value, suffix, isKey);
  }

  protected override endKey(key: string): void {
    this.bareKeys = false;
    super.endKey(key);
  }

  protected override isEndOfNumber(character: number): boolean {
    return endsWord(character) || character === SLASH || character === HASH;
  }

  protected override isEndOfLiteral(text: string, after: number): boolean {
    return after < text.length && this.isEndOfNumber(text.charCodeAt(after));
  }

  protected override keepToken(): void {
    if (this.state === BARE_VALUE) {
      this.token += this.fresh;
      this.fresh = "";
      this.builder.beginLeaf(anyScalar);
    } else super.keepToken();
  }

  /** An invalid escape. The backslash becomes part of the text, except before a quote, where it is dropped. */
  private keepEscape(text: string, i: number, character: number): number {
    const inUnicode = this.state !== ESCAPE;
    const { length } = this.hex;
    this.state = this.stringState;
    if (inUnicode) {
      this.report("escape", this.position.offset + i - length - 2);
      this.fresh += `\\u${this.hex}`;
      return i;
    }
    this.report("escape", this.position.offset + i - 1);
    if (closingQuotes(text.charAt(i)) === "") this.fresh += "\\";
    if (character === LINE_FEED) this.position.newLine(i);
    this.fresh += text.charAt(i);
    return i + 1;
  }

  /** A token that began like a number or a literal is a word without quotes. */
  private toBareValue(
    code: JsonParseErrorCode,
    text: string,
    i: number,
    character: number,
    read: string,
  ): number {
    if (this.builder.depth === 0) return super.deviate(code, text, i, character);
    this.wordOffset = this.position.offset + i - read.length;
    this.token = read;
    this.fresh = "";
    this.state = BARE_VALUE;
    return i;
  }

  private repairBetweenTokens(code: JsonParseErrorCode, text: string, i: number, character: number): number {
    const { state } = this;
    const offset = this.position.offset + i;
    if (character === HASH || character === SLASH) {
      this.wordOffset = offset;
      this.resume = state;
      this.state = character === HASH ? LINE_COMMENT : COMMENT_SLASH;
      if (character === HASH) this.report("comment", offset);
      return i + 1;
    }
    const { inArray } = this.builder;
    switch (state) {
      case VALUE:
      case FIRST_ELEMENT:
        if (character === COMMA && inArray) return this.skip("extra_comma", i);
        if (character === CLOSE_BRACKET && inArray) return this.closeAfterComma(i);
        if (closingQuotes(text.charAt(i)) !== "") return this.openQuoted(text, i, false);
        if (this.builder.depth === 0 || isStructural(character) || character < SPACE) break;
        this.wordOffset = offset;
        this.token = "";
        this.fresh = "";
        this.state = BARE_VALUE;
        return i;
      case FIRST_KEY:
      case KEY:
        if (character === COMMA) return this.skip("extra_comma", i);
        if (character === CLOSE_BRACE) return this.closeAfterComma(i);
        if (closingQuotes(text.charAt(i)) !== "") {
          this.checkKeys(i);
          return this.openQuoted(text, i, true);
        }
        if (character === OPEN_BRACE && state === FIRST_KEY) {
          this.doubled++;
          return this.skip("doubled_opening", i);
        }
        if (isStructural(character)) break;
        this.checkKeys(i);
        this.wordOffset = offset;
        this.inKey = true;
        this.token = "";
        this.fresh = "";
        this.state = BARE_KEY;
        return i;
      case AFTER_VALUE:
        if (isStructural(character) && !(inArray && (character === OPEN_BRACE || character === OPEN_BRACKET)))
          break;
        this.report("missing_comma", offset);
        this.state = inArray ? VALUE : KEY;
        return i;
      case DONE:
        // It was reported at the doubled opening bracket.
        if (character !== CLOSE_BRACE || this.doubled === 0) break;
        this.doubled--;
        return i + 1;
    }
    return super.deviate(code, text, i, character);
  }

  private skip(kind: JsonRepairKind, i: number): number {
    this.report(kind, this.position.offset + i);
    return i + 1;
  }

  private closeAfterComma(i: number): number {
    this.report("trailing_comma", this.position.offset + i);
    this.close(i);
    return i + 1;
  }

  private openQuoted(text: string, i: number, isKey: boolean): number {
    this.report("quote", this.position.offset + i);
    this.closers = closingQuotes(text.charAt(i));
    this.stringState = QUOTED;
    this.inKey = isKey;
    this.token = "";
    this.fresh = "";
    this.state = QUOTED;
    return i + 1;
  }

  private continueQuoted(text: string, start: number): number {
    let i = start;
    for (; i < text.length; i++) {
      const character = text.charCodeAt(i);
      if (character === BACKSLASH || this.closers.includes(text.charAt(i))) break;
      if (character >= SPACE) continue;
      this.report("control_character", this.position.offset + i);
      if (character === LINE_FEED) this.position.newLine(i);
    }
    this.fresh += text.slice(start, i);
    if (i === text.length) return i;
    if (text.charCodeAt(i) !== BACKSLASH) return this.closingQuote(text, i + 1);
    this.state = ESCAPE;
    return i + 1;
  }

  /** Decides from the text after a quote whether it has ended the string. It has if valid JSON could continue like this. */
  private afterQuote(text: string, start: number, first: number): number {
    let i = start;
    let character = first;
    while (isSpace(character) || (character === COMMA && this.mayHoldComma())) {
      if (character === COMMA) this.heldComma = true;
      else if (character === LINE_FEED) {
        this.position.newLine(i);
        this.heldLine = true;
      }
      character = characterAt(text, ++i);
    }
    if (i > start) this.held += text.slice(start, i);
    if (i === text.length) return i;
    if (this.endsStringBefore(text.charAt(i), character)) this.endHeldString();
    else {
      this.report("inner_quote", this.quoteOffset);
      this.fresh += this.held;
      this.state = this.stringState;
    }
    return i;
  }

  /** In an object a comma alone is not enough: a key must follow it. */
  private mayHoldComma(): boolean {
    return !this.inKey && !this.heldComma && this.builder.depth > 0 && !this.builder.inArray;
  }

  private endsStringBefore(next: string, character: number): boolean {
    if (this.builder.depth === 0) return false;
    if (character === SLASH || character === HASH) return true; // a comment
    if (this.inKey) return character === COLON;
    const isQuote = closingQuotes(next) !== "";
    const spaced = this.held.length > 1;
    if (this.builder.inArray) {
      if (character === COMMA || character === CLOSE_BRACKET) return true;
      return this.heldLine || (spaced && isQuote);
    }
    if (character === CLOSE_BRACE) return true;
    if (this.heldComma) {
      return isQuote || character === COMMA || this.heldLine || (this.bareKeys && !isStructural(character));
    }
    return (spaced && isQuote) || (this.heldLine && !isStructural(character));
  }

  private endHeldString(): void {
    this.endString(this.wholeToken(), this.fresh, this.inKey);
    if (this.heldComma) this.state = KEY;
  }

  /** Reads to the next comma, closing bracket or line feed. */
  private continueBareValue(text: string, start: number): number {
    let i = start;
    while (i < text.length && !endsBareValue(text.charCodeAt(i))) i++;
    this.fresh += text.slice(start, i);
    if (i === text.length) return i;
    const { value, kind } = parseBareValue((this.token + this.fresh).trimEnd());
    this.report(kind, this.wordOffset);
    this.endLeaf(value, "");
    return i;
  }

  private continueBareKey(text: string, start: number, first: number): number {
    let i = start;
    let character = first;
    while (i < text.length && !endsWord(character) && character !== COLON) character = text.charCodeAt(++i);
    this.fresh += text.slice(start, i);
    if (i === text.length) return i;
    this.report("unquoted_key", this.wordOffset);
    this.endString(this.token + this.fresh, "", true);
    this.bareKeys = true;
    return i;
  }

  private continueComment(text: string, start: number, first: number): number {
    if (this.state === COMMENT_SLASH) return this.afterSlash(text, start, first);
    for (let i = start; i < text.length; i++) {
      const character = text.charCodeAt(i);
      if (character === LINE_FEED) this.position.newLine(i);
      if (this.state === LINE_COMMENT) {
        if (character !== LINE_FEED) continue;
      } else if (this.state !== COMMENT_STAR || character !== SLASH) {
        this.state = character === STAR ? COMMENT_STAR : BLOCK_COMMENT;
        continue;
      }
      this.state = this.resume;
      return i + 1;
    }
    return text.length;
  }

  private afterSlash(text: string, i: number, character: number): number {
    if (character === SLASH || character === STAR) {
      this.report("comment", this.wordOffset);
      this.state = character === SLASH ? LINE_COMMENT : BLOCK_COMMENT;
      return i + 1;
    }
    this.state = this.resume;
    const inValue = this.state === VALUE || this.state === FIRST_ELEMENT;
    if (!inValue || this.builder.depth === 0)
      return super.deviate("unexpected_character", text, i, character);
    this.token = "/";
    this.fresh = "";
    this.state = BARE_VALUE;
    return i;
  }

  private report(kind: JsonRepairKind, offset: number): void {
    this.onRepair?.({ kind, offset });
  }
}

/** As `isEndOfString()` decides in an object. */
const endOfString = '(?=[ \\t\\r\\n]*(?:\\}|,[ \\t\\r\\n]*"))';

function pastSpace(text: string, start: number): number {
  let i = start;
  while (isSpace(characterAt(text, i))) i++;
  return i;
}

function isStructural(character: number): boolean {
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

/** Whether the character ends a key without quotes, or a number. */
function endsWord(character: number): boolean {
  return isSpace(character) || (isStructural(character) && character !== COLON);
}

function endsBareValue(character: number): boolean {
  return (
    character === COMMA || character === CLOSE_BRACE || character === CLOSE_BRACKET || character === LINE_FEED
  );
}
