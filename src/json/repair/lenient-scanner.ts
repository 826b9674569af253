import { kindsAtStart } from "../build/kinds.js";
import type { JsonParseErrorCode } from "../errors.js";
import type { JsonParserOptions } from "../options.js";
import { BACKTICK, isBlank, isKeyCharacter, LESS, TILDE } from "../extract/characters.js";
import {
  BACKSLASH,
  CARRIAGE_RETURN,
  characterAt,
  CLOSE_BRACE,
  CLOSE_PARENTHESIS,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  escaped,
  GREATER,
  HASH,
  isDigit,
  LINE_FEED,
  LOWER_N,
  LOWER_T,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PARENTHESIS,
  QUOTE,
  SLASH,
  SPACE,
} from "../scan/characters.js";
import type { ScanTarget } from "../scan/scanner.js";
import {
  AFTER_KEY,
  AFTER_VALUE,
  BARE_KEY,
  BARE_VALUE,
  COMMENT,
  DONE,
  END_SEEN,
  ESCAPE,
  FIRST_ELEMENT,
  FIRST_KEY,
  KEY,
  LITERAL,
  QUOTED,
  ROOT_CLOSER,
  VALUE,
} from "../scan/states.js";
import { endsWord, isStructural, LenientWords } from "./lenient-words.js";
import { closingQuotes } from "./quotes.js";
import type { JsonRepairKind } from "./repair.js";
import { depthOf } from "./extra-tokens.js";
import { isCloser, NO_DOUBT } from "./text-ahead.js";

/**
 * Repairs the mistakes that models make. It reads valid JSON exactly as the strict scanner does. Where that one throws,
 * it repairs the text and reports the repair. There is one difference: the text after a string, number or literal
 * decides whether it ends, so it is complete only when the next key or value has begun.
 */
export class LenientScanner extends LenientWords {
  /** The number of doubled opening brackets whose closing ones have not come: `{{"a": 1}}`. */
  private doubled = 0;
  /** Whether the document is escaped: `{\\"a\\": 1}`. */
  private isEscaped = false;
  /** A backslash with which a chunk of such a document ended. */
  private backslash = "";
  private sawKey = false;
  /** Whether an object at the root may continue after its closing bracket: `{"a": 1}, "b": 2}`. */
  private readonly mayContinue: boolean;

  constructor(
    options: JsonParserOptions,
    target: ScanTarget,
    proseAfter?: (text: string, offset: number) => void,
  ) {
    super(options, target, proseAfter);
    this.mayContinue = options.extract === "auto";
  }

  override scan(text: string): void {
    if (this.isEscaped) {
      this.position.divide();
      this.scanEscaped(text);
      return;
    }
    super.scan(text);
    if (!this.isEscaped) return;
    const rest = this.takeHeld();
    this.position.divide(rest.length);
    this.scanEscaped(rest);
  }

  /** Reads text in which each quote and backslash of the document has a backslash before it. */
  private scanEscaped(text: string): void {
    const { position } = this;
    const all = this.backslash + text;
    position.offset -= this.backslash.length;
    this.backslash = "";
    for (const [part, escape] of all.matchAll(/[^\\]+|\\([^]?)/g)) {
      if (escape === "") this.backslash = part;
      const meaning = escape === undefined ? undefined : escaped(escape.charCodeAt(0));
      if (meaning !== undefined) position.offset++;
      const read = meaning ?? part;
      position.enter(read);
      if (this.backslash === "") super.scan(read);
      position.leave();
    }
  }

  protected override possibleKinds(kind: number): number {
    return kindsAtStart(kind, true);
  }

  /** @param truncated whether the text is known to be truncated, so a missing bracket is not the model's mistake */
  override finish(truncated: boolean): boolean {
    const done = super.finish(truncated);
    // The end of the text settles the states that wait for one more character.
    if (this.state === COMMENT) this.state = this.afterComment;
    if (this.state === ROOT_CLOSER) this.closeNow(0);
    if (this.state === LITERAL && this.literalIsWhole) this.endLiteral();
    if (this.state === AFTER_VALUE && !truncated) {
      this.report("missing_closer", this.position.offset);
      this.closeTo(0, 0);
    }
    return done || this.done;
  }

  override expected(): string {
    switch (this.state) {
      case QUOTED:
        return "the end of the string";
      case BARE_VALUE:
        return '"," or a closing bracket';
      case BARE_KEY:
        return '":"';
      default:
        return super.expected();
    }
  }

  protected override deviate(code: JsonParseErrorCode, text: string, i: number, character: number): number {
    switch (code) {
      case "invalid_escape":
        return this.keepEscape(text, i, character);
      case "invalid_literal":
        return this.toBareValue(code, text, i, character, this.literalSoFar, this.literalIsWhole);
      case "invalid_number":
        return this.toBareValue(code, text, i, character, this.token + this.fresh, this.number.whole);
      default:
        return this.repairBetweenTokens(code, text, i, character);
    }
  }

  protected override scanLenient(text: string, i: number, character: number): number {
    switch (this.state) {
      case QUOTED:
        return this.continueString(text, i);
      case END_SEEN:
        return this.continueAfterEnd(text);
      case BARE_VALUE:
        return this.continueBareValue(text, i);
      case BARE_KEY:
        return this.continueBareKey(text, i, character);
      case ROOT_CLOSER:
        return this.continueRoot(text, i, character);
      default:
        return this.continueComment(text, i);
    }
  }

  protected override endKey(key: string): void {
    this.bareKey = false;
    this.sawKey = true;
    super.endKey(key);
  }

  /** An invalid escape. The backslash becomes part of the text, except before a quote, and in `\_` of Markdown. */
  private keepEscape(text: string, i: number, character: number): number {
    if (character === LINE_FEED || character === CARRIAGE_RETURN)
      return this.continueLine(text, i, character);
    const inUnicode = this.state !== ESCAPE;
    const { length } = this.hex;
    this.state = this.stringState;
    if (inUnicode) {
      this.report("escape", this.position.offset + i - length - 2);
      this.fresh += `\\u${this.hex}`;
      return i;
    }
    this.report("escape", this.position.offset + i - 1);
    if (closingQuotes(text.charAt(i)) === "" && text.charAt(i) !== "_") this.fresh += "\\";
    this.fresh += text.charAt(i);
    return i + 1;
  }

  /** A backslash before a line break: the text continues on the next line, as in JavaScript and Python. */
  private continueLine(text: string, i: number, character: number): number {
    const end = character === LINE_FEED ? i : i + 1;
    if (end === text.length && !this.ended) return this.hold(text, i);
    this.report("escape", this.position.offset + i - 1);
    this.state = this.stringState;
    if (characterAt(text, end) !== LINE_FEED) return i + 1;
    this.position.newLine(end);
    return end + 1;
  }

  /** After a number or literal, unless it certainly ends here. It may be the start of a word without quotes. */
  private toBareValue(
    code: JsonParseErrorCode,
    text: string,
    i: number,
    character: number,
    read: string,
    whole: boolean,
  ): number {
    const { depth } = this.nesting;
    const isNumber = code === "invalid_number";
    if (whole) {
      this.ahead.begin(text, i, this.ended);
      const ends = depth === 0 ? endsWord(character) : this.ahead.endsNumber(i, depth);
      if (ends === undefined) return this.hold(text, i);
      if (ends) {
        if (isNumber) this.endNumber();
        else this.endLiteral();
        return i;
      }
    }
    if (depth === 0) return super.deviate(code, text, i, character);
    this.keepToken(); // as if the chunk ended here: the guard may refuse a number, and `allow` show it
    this.beginBareValue(this.position.offset + i - read.length, read);
    return i;
  }

  private repairBetweenTokens(code: JsonParseErrorCode, text: string, i: number, character: number): number {
    const { nesting, state } = this;
    const { depth, inArray } = nesting;
    const offset = this.position.offset + i;
    if (isBlank(character) && (character >= SPACE || (character >= 0x0b && character <= 0x0c)))
      return this.skip("white_space", i);
    if (character === HASH || character === SLASH || character === LESS) {
      const after = this.beginComment(text, i);
      if (after > i) return after;
    }
    if (character === BACKSLASH && state !== DONE) {
      if (i + 1 === text.length && !this.ended) return this.hold(text, i);
      const next = characterAt(text, i + 1);
      const isFirst = state === FIRST_KEY || (state === FIRST_ELEMENT && depth === 1);
      if (next === QUOTE && !this.sawKey && isFirst) {
        this.report("escaped_document", offset);
        this.isEscaped = true;
        return this.hold(text, i);
      }
      if (next === LOWER_N || next === LOWER_T) {
        this.report("white_space", offset);
        return i + 2;
      }
    }
    if (state === DONE) {
      // It was reported at the doubled opening bracket.
      if (character !== CLOSE_BRACE || this.doubled === 0) return super.deviate(code, text, i, character);
      this.doubled--;
      return i + 1;
    }
    this.ahead.begin(text, i, this.ended);
    if (depth > 0 && state !== AFTER_KEY && (inArray || state !== VALUE)) {
      const mayEndDocument = character === BACKTICK || character === TILDE || character === LESS;
      if (mayEndDocument && state !== FIRST_KEY && state !== FIRST_ELEMENT) {
        const ends = this.ahead.endsDocument(i);
        if (ends === undefined) return this.hold(text, i);
        if (ends) return this.endDocument(i);
      }
      if (isCloser(character)) return this.closeOther(text, i, character);
      if (character === DOT || character === ELLIPSIS) {
        const length = this.ahead.ellipsis(i);
        if (length === undefined) return this.hold(text, i);
        if (length > 0) {
          this.report("ellipsis", offset);
          this.state = AFTER_VALUE;
          return i + length;
        }
      }
    }
    const isQuote = closingQuotes(text.charAt(i)) !== "";
    switch (state) {
      case VALUE:
      case FIRST_ELEMENT:
        if (character === COMMA && inArray) return this.skip("extra_comma", i);
        if (depth > 0 && !inArray) {
          const isFence = character === BACKTICK && this.ahead.isLastFence(i);
          if (isFence === undefined) return this.hold(text, i);
          if (isFence || character === COMMA || character === CLOSE_BRACE) {
            this.report("missing_value", offset);
            this.endLeaf(null);
            return i;
          }
        }
        if (isQuote) return this.openQuoted(text, i, false);
        if (character === OPEN_PARENTHESIS) return this.openParenthesis(text, i);
        if (depth === 0 || isStructural(character) || character < SPACE) break;
        if (isKeyCharacter(character)) {
          const length = this.ahead.call(i);
          if (length === undefined) return this.hold(text, i);
          if (length > 0) {
            this.report("call", offset);
            this.openParentheses.openGroup(depth);
            this.position.newLines(text, i, i + length);
            return i + length;
          }
        }
        this.beginBareValue(offset, "");
        return i;
      case FIRST_KEY:
      case KEY:
        if (character === COMMA) return this.skip("extra_comma", i);
        if (character === COLON && state === FIRST_KEY) {
          const isEmpty = this.ahead.isNext(i + 1, CLOSE_BRACE);
          if (isEmpty === undefined) return this.hold(text, i);
          if (isEmpty) return this.skip("missing_value", i);
        }
        if (isQuote) {
          this.checkKeys(i);
          return this.openQuoted(text, i, true);
        }
        if (character === OPEN_BRACE) {
          if (state === FIRST_KEY) {
            this.doubled++;
            return this.skip("doubled_opening", i);
          }
          if (depth > 1 && nesting.isArray(depth - 1)) return this.closeBefore(i);
        }
        if (isStructural(character)) break;
        this.checkKeys(i);
        this.wordOffset = offset;
        this.inKey = true;
        this.token = "";
        this.fresh = "";
        this.state = BARE_KEY;
        return i;
      case AFTER_KEY: {
        if (character === EQUALS) {
          if (i + 1 === text.length && !this.ended) return this.hold(text, i);
          this.report("missing_colon", offset);
          this.state = VALUE;
          return characterAt(text, i + 1) === GREATER ? i + 2 : i + 1;
        }
        const mayBeginValue =
          isDigit(character) || character === MINUS || character === OPEN_BRACE || character === OPEN_BRACKET;
        if (!isQuote && !mayBeginValue && (this.bareKey || !isKeyCharacter(character))) break;
        this.report("missing_colon", offset);
        this.state = VALUE;
        return i;
      }
      case AFTER_VALUE:
        if (!inArray && character === OPEN_BRACE && depth > 1 && nesting.isArray(depth - 1))
          return this.closeBefore(i);
        if (isStructural(character) && !(inArray && (character === OPEN_BRACE || character === OPEN_BRACKET)))
          break;
        if (!inArray && isKeyCharacter(character)) {
          const end = this.ahead.strayWords(i);
          if (end === undefined) return this.hold(text, i);
          if (end > 0) {
            this.report("stray_text", offset);
            return end;
          }
        }
        this.report("missing_comma", offset);
        this.state = inArray ? VALUE : KEY;
        return i;
    }
    return super.deviate(code, text, i, character);
  }

  private skip(kind: JsonRepairKind, i: number): number {
    this.report(kind, this.position.offset + i);
    return i + 1;
  }

  /** At a closing bracket that JSON does not allow here. */
  private closeOther(text: string, i: number, character: number): number {
    const { nesting, position } = this;
    const { depth, inArray } = nesting;
    const offset = position.offset + i;
    const { parentheses } = this;
    if (
      character === CLOSE_PARENTHESIS &&
      this.state === AFTER_VALUE &&
      parentheses?.closeGroup(depth) === true
    )
      return i + 1;
    const isArray = character !== CLOSE_BRACE;
    const closed = depthOf(nesting, isArray, depth);
    if (closed === depth) {
      if (this.state === VALUE || this.state === KEY) this.report("trailing_comma", offset);
      const isTuple = parentheses?.isTuple(depth) === true;
      if (inArray && isTuple !== (character === CLOSE_PARENTHESIS)) this.report("wrong_closer", offset);
      this.closeTo(depth - 1, i);
      return i + 1;
    }
    if (closed > 0) {
      const isWrong =
        closed === 1 && nesting.isArray(depth - 1)
          ? this.ahead.continuesArray(i + 1, depth - 1)
          : this.ahead.continuesObject(i + 1, closed - 1, depth - 1);
      if (isWrong === undefined) return this.hold(text, i);
      this.report(isWrong ? "wrong_closer" : "missing_closer", offset);
      this.closeTo(isWrong ? depth - 1 : closed - 1, i);
      return i + 1;
    }
    const isExtra = this.ahead.continuesAfterValue(i + 1, depth, NO_DOUBT);
    if (isExtra === undefined) return this.hold(text, i);
    if (isExtra && !this.ended) return this.skip("extra_closer", i);
    this.report("wrong_closer", offset);
    this.closeTo(depth - 1, i);
    return i + 1;
  }

  /** An object begins inside an object of a list: the one before was not closed. */
  private closeBefore(i: number): number {
    this.report("missing_closer", this.position.offset + i);
    this.closeTo(this.nesting.depth - 1, i);
    return i;
  }

  /** A fence or tag ends the document. */
  private endDocument(i: number): number {
    this.report("missing_closer", this.position.offset + i);
    this.closeTo(0, i);
    return i;
  }

  private closeTo(depth: number, i: number): void {
    while (this.nesting.depth > depth) this.closeNow(i);
  }

  /** The closing bracket of an object at the root waits for the next character. */
  protected override close(i: number): void {
    if (this.mayContinue && this.nesting.depth === 1 && !this.nesting.inArray && !this.ended)
      this.state = ROOT_CLOSER;
    else this.closeNow(i);
  }

  /** After the closing bracket of an object at the root. A comma and a key continue the object. */
  private continueRoot(text: string, i: number, character: number): number {
    if (character === COMMA) {
      this.ahead.begin(text, i, this.ended);
      const goesOn = this.ahead.continuesMembers(i + 1);
      if (goesOn === undefined) return this.hold(text, i);
      if (goesOn) {
        this.report("extra_closer", this.position.offset + i - 1);
        this.state = AFTER_VALUE;
        return i;
      }
    }
    this.closeNow(i);
    return i;
  }

  private closeNow(i: number): void {
    super.close(i);
    this.parentheses?.closeTo(this.nesting.depth);
  }

  private openParenthesis(text: string, i: number): number {
    const isOne = this.ahead.isOneValue(i + 1);
    if (isOne === undefined) return this.hold(text, i);
    if (isOne && this.nesting.depth === 0)
      return super.deviate("unexpected_character", text, i, OPEN_PARENTHESIS);
    this.report("parentheses", this.position.offset + i);
    const { nesting, openParentheses } = this;
    if (isOne) openParentheses.openGroup(nesting.depth);
    else {
      this.open(i, false);
      openParentheses.openTuple(nesting.depth);
    }
    return i + 1;
  }
}

const ELLIPSIS = 0x2026; // …
