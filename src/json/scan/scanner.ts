import type { JsonParseErrorCode } from "../errors.js";
import type { ScannerContext } from "../options.js";
import {
  BACKSLASH,
  CARRIAGE_RETURN,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  endOfPlainText,
  escaped,
  highSurrogateAtEnd,
  isDigit,
  isHexDigit,
  LINE_FEED,
  LOWER_U,
  MINUS,
  OPEN_BRACKET,
  opensContainer,
  QUOTE,
  SPACE,
  TAB,
} from "./characters.js";
import { Document } from "./document.js";
import { describeExpected, describeUnescaped, describeUnexpected } from "./expected.js";
import type { JsonScanner } from "./json-scanner.js";
import { OpenScalar } from "./open-scalar.js";
import type { Position } from "./position.js";
import type { Mistake } from "./rejection.js";
import type { GuessedKeys, ShortCuts } from "./short-cuts.js";
import {
  AFTER_KEY,
  AFTER_VALUE,
  DONE,
  ESCAPE,
  FIRST_ELEMENT,
  FIRST_KEY,
  GUESSED_KEY,
  isInString,
  isInToken,
  KEY,
  LITERAL,
  NUMBER,
  STRING,
  UNICODE,
  VALUE,
} from "./states.js";

/**
 * Reads JSON (RFC 8259) and tells the handler what it reads. `Document` keeps the state and the open containers; the scanner
 * keeps the part of an open token that the handler has not been told.
 *
 * The chunks `{"a` and `": "é\n", "b": [1` give:
 *
 * ```text
 * {"a         open(false); the key is kept, because only complete keys are told
 * ": "é\n",   key("a") text("é\n", true)
 *  "b": [1    key("b") open(true); the number is kept, because it may go on
 * ```
 */
export class Scanner implements JsonScanner {
  readonly position: Position;
  private readonly document: Document;
  private readonly after: ScannerContext["after"];
  private readonly onRawControl: ScannerContext["onRawControl"];
  private readonly fast: ShortCuts | undefined;
  private readonly keys: GuessedKeys | undefined;
  private readonly scalar: OpenScalar;
  /** The part of the open string that the handler has not been told; all of an open key. */
  private token = "";
  private hex = "";

  constructor(context: ScannerContext) {
    const document = new Document(context);
    const { position, fast, handler } = document;
    this.position = position;
    this.document = document;
    this.fast = fast;
    this.keys = fast?.keys;
    this.scalar = new OpenScalar(handler, context.options.allow ?? 0, false);
    this.after = context.after;
    this.onRawControl = context.onRawControl;
  }

  get begun(): boolean {
    return this.document.state !== VALUE || this.document.nesting.depth > 0;
  }

  get done(): boolean {
    return this.document.state === DONE;
  }

  get inString(): boolean {
    return isInString(this.document.state);
  }

  scan(text: string): void {
    const { document } = this;
    const { length } = text;
    let i = 0;
    this.fast?.begin(length);
    while (i < length) {
      const character = text.charCodeAt(i);
      switch (document.state) {
        case VALUE:
        case FIRST_ELEMENT:
          i = this.scanValue(text, i, character);
          break;
        case FIRST_KEY:
        case KEY:
          i = this.scanKey(text, i, character);
          break;
        case AFTER_KEY:
          if (character === COLON) {
            document.state = VALUE;
            i++;
          } else i = this.skipSpace(text, i, character);
          break;
        case AFTER_VALUE:
          i = this.scanSeparator(text, i, character);
          break;
        case STRING:
          i = this.continueString(text, i);
          break;
        case ESCAPE:
          i = this.scanEscape(i, character);
          break;
        case UNICODE:
          i = this.scanUnicode(text, i, character);
          break;
        case GUESSED_KEY:
          i = this.matchKey(this.keys as GuessedKeys, text, i);
          break;
        case NUMBER:
          i = this.scanNumber(text, i, i);
          break;
        case LITERAL:
          i = this.scanLiteral(text, i);
          break;
        default:
          i = this.scanRest(text, i, character);
      }
    }
    if (isInToken(document.state)) this.tellOpenToken();
  }

  finish(): boolean {
    const { document, scalar } = this;
    // Nothing but the end of the text ends a number at the root.
    if (document.state === NUMBER && document.nesting.depth === 0 && scalar.number.whole) this.endNumber();
    return document.state === DONE;
  }

  expected(): string {
    const { state, nesting } = this.document;
    if (state === LITERAL) return this.scalar.literal.expected;
    if (state === NUMBER) return this.scalar.number.expected;
    return describeExpected(state, nesting.inArray);
  }

  fail(code: JsonParseErrorCode, problem: string, i: number, expected: string): Mistake {
    if (isInToken(this.document.state)) this.tellOpenToken();
    return this.document.fail(code, problem, i, expected);
  }

  private scanValue(text: string, i: number, character: number): number {
    if (character === QUOTE) return this.scanString(text, i + 1, false);
    if (opensContainer(character)) return this.scanContainer(text, i, character);
    const { document, scalar } = this;
    if (isDigit(character) || character === MINUS) {
      scalar.number.begin(character);
      document.state = NUMBER;
      return this.scanNumber(text, i, i + 1);
    }
    if (scalar.literal.begin(character)) {
      document.state = LITERAL;
      return this.scanLiteral(text, i + 1);
    }
    if (character === CLOSE_BRACKET && document.state === FIRST_ELEMENT) {
      document.close(i);
      return i + 1;
    }
    return this.skipSpace(text, i, character);
  }

  /** At an opening bracket. */
  private scanContainer(text: string, i: number, bracket: number): number {
    const { document, fast } = this;
    const { nesting } = document;
    // The value of a member is not the start of a run: a key follows it.
    if (fast !== undefined && (nesting.inArray || nesting.depth === 0)) {
      const end = this.readRun(fast, text, i);
      if (end > i) return end;
    }
    const isArray = bracket === OPEN_BRACKET;
    document.open(isArray, i);
    return isArray ? i + 1 : this.scanMember(text, i + 1);
  }

  /** Reads as many complete values from here on as the short cuts can. Returns the index after them. */
  private readRun(fast: ShortCuts, text: string, i: number): number {
    const end = fast.read(text, i);
    if (end > i) this.document.afterValue();
    return end;
  }

  /** At the comma or bracket after a value. */
  private scanSeparator(text: string, i: number, character: number): number {
    const { document } = this;
    const { inArray } = document.nesting;
    if (character === COMMA) {
      document.state = inArray ? VALUE : KEY;
      return inArray ? i + 1 : this.scanMember(text, i + 1);
    }
    if (character !== (inArray ? CLOSE_BRACKET : CLOSE_BRACE)) return this.skipSpace(text, i, character);
    document.close(i);
    return i + 1;
  }

  /** After the bracket or comma before a member: the short cuts may read it at once. */
  private scanMember(text: string, start: number): number {
    const { document, fast } = this;
    if (fast === undefined || document.hasAllKeys()) return start;
    const end = fast.member(text, start);
    if (end === start) return start;
    document.key(fast.keys.right());
    document.state = VALUE;
    const { value } = fast;
    if (value !== undefined) document.string(value);
    return end;
  }

  /** Before a key, or at the end of an empty object. */
  private scanKey(text: string, i: number, character: number): number {
    const { document, fast, keys } = this;
    if (character !== QUOTE) {
      if (character !== CLOSE_BRACE || document.state !== FIRST_KEY)
        return this.skipSpace(text, i, character);
      document.close(i);
      return i + 1;
    }
    document.checkKeys(i);
    const end = fast === undefined ? i : this.readRun(fast, text, i);
    if (end > i) return end;
    if (keys?.guess() === undefined) return this.scanString(text, i + 1, true);
    document.state = GUESSED_KEY;
    return this.matchKey(keys, text, i + 1);
  }

  /** Compares a key with the one that the short cuts guess. */
  private matchKey(keys: GuessedKeys, text: string, start: number): number {
    const i = keys.match(text, start);
    if (i === text.length) return i;
    if (keys.isWhole && text.charCodeAt(i) === QUOTE) {
      this.document.key(keys.right());
      return i + 1;
    }
    this.beginString(true, keys.matched);
    return this.continueString(text, i);
  }

  /** After the opening quote. A string that ends in the same chunk is cut out of it at once. */
  private scanString(text: string, start: number, isKey: boolean): number {
    const end = endOfPlainText(text, start);
    if (end < text.length && text.charCodeAt(end) === QUOTE) {
      this.endString(text.slice(start, end), isKey);
      return end + 1;
    }
    this.beginString(isKey, "");
    return this.continueString(text, start, end);
  }

  private beginString(isKey: boolean, read: string): void {
    this.document.inKey = isKey;
    this.token = read;
    this.document.state = STRING;
  }

  private continueString(text: string, start: number, end: number = endOfPlainText(text, start)): number {
    this.token += text.slice(start, end);
    if (end === text.length) return end;
    const character = text.charCodeAt(end);
    if (character === QUOTE) this.endString(this.token, this.document.inKey);
    else if (character === BACKSLASH) this.document.state = ESCAPE;
    else this.scanControl(text, end, character);
    return end + 1;
  }

  /** At a control character, which JSON allows only as an escape. */
  private scanControl(text: string, i: number, character: number): void {
    const { onRawControl } = this;
    if (onRawControl === undefined)
      throw this.fail("control_character", describeUnescaped(character), i, "an escape");
    if (!this.document.inKey) this.tellOpenToken(); // the guard may refuse the text before
    onRawControl(this.position.offset + i);
    if (character === LINE_FEED) this.position.newLine(i);
    this.token += text.charAt(i);
  }

  private endString(rest: string, isKey: boolean): void {
    this.token = "";
    if (isKey) this.document.key(this.keys?.learn(rest) ?? rest);
    else this.document.string(rest);
  }

  private scanEscape(i: number, character: number): number {
    const meaning = character === LOWER_U ? "" : escaped(character);
    if (meaning === undefined) throw this.unexpected("invalid_escape", i);
    this.token += meaning;
    this.hex = "";
    this.document.state = character === LOWER_U ? UNICODE : STRING;
    return i + 1;
  }

  private scanUnicode(text: string, i: number, character: number): number {
    if (!isHexDigit(character)) throw this.unexpected("invalid_escape", i);
    this.hex += text.charAt(i);
    if (this.hex.length === 4) {
      this.token += String.fromCharCode(Number.parseInt(this.hex, 16));
      this.document.state = STRING;
    }
    return i + 1;
  }

  /** @param start where the part of the number in this chunk begins */
  private scanNumber(text: string, start: number, from: number): number {
    const { number } = this.scalar;
    const i = number.read(text, from);
    if (i < text.length && number.whole && number.value !== undefined) this.document.leaf(number.value);
    else {
      number.add(text.slice(start, i));
      if (i === text.length) return i;
      if (!number.whole) throw this.unexpected("invalid_number", i);
      this.endNumber();
    }
    return i;
  }

  private endNumber(): void {
    this.document.leaf(this.scalar.number.result);
  }

  private scanLiteral(text: string, start: number): number {
    const { literal } = this.scalar;
    const i = literal.read(text, start);
    if (literal.whole) this.document.leaf(literal.value);
    else if (i < text.length) throw this.unexpected("invalid_literal", i);
    return i;
  }

  /** After the document. */
  private scanRest(text: string, i: number, character: number): number {
    const { after } = this;
    if (after === undefined) return this.skipSpace(text, i, character);
    after(text.slice(i), this.position.offset + i);
    return text.length;
  }

  /** The chunk ends inside a token: tells the handler what is certain of it. */
  private tellOpenToken(): void {
    const { document, scalar, token } = this;
    if (document.state === NUMBER) scalar.tellNumber();
    else if (document.state === LITERAL) scalar.tellLiteral();
    else if (!document.inKey) {
      this.token = highSurrogateAtEnd(token);
      document.handler.text(this.token === "" ? token : token.slice(0, -1), false);
    }
  }

  /** Skips white space between tokens. JSON allows no other character here. */
  private skipSpace(text: string, start: number, first: number): number {
    const { length } = text;
    let i = start;
    let character = first;
    while (character <= SPACE) {
      if (character === LINE_FEED) this.position.newLine(i);
      else if (character !== SPACE && character !== CARRIAGE_RETURN && character !== TAB) break;
      if (++i === length) return i;
      character = text.charCodeAt(i);
    }
    if (i === start)
      throw this.unexpected(this.document.state === DONE ? "trailing_text" : "unexpected_character", i);
    return i;
  }

  private unexpected(code: JsonParseErrorCode, i: number): Mistake {
    const expected = this.expected();
    return this.fail(code, describeUnexpected(expected, this.position.found(i)), i, expected);
  }
}
