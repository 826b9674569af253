import type { JsonParseErrorCode } from "../errors.js";
import type { Mistake } from "./rejection.js";
import type { JsonListener } from "../handler.js";
import * as Allow from "../allow.js";
import * as Kind from "../build/kind.js";
import * as Char from "./characters.js";
import { describeExpected, describeUnescaped, describeUnexpected } from "./expected.js";
import { type Literal, literalOf, literalTrue } from "./literal.js";
import { Nesting, tooDeep, tooManyKeys } from "./nesting.js";
import { maxPartialNumber, OpenNumber, partialNumber } from "./number.js";
import { Position } from "./position.js";
import type { ScannerContext } from "../options.js";
import type { JsonScanner, RestReader } from "./json-scanner.js";
import type { ShortCuts } from "./short-cuts.js";
import * as State from "./states.js";

/**
 * Reads JSON (RFC 8259) and tells the handler what it reads. It keeps one state, the open containers, and the part of
 * an open token that the handler has not been told.
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
  readonly position: Position = new Position();
  readonly nesting: Nesting;
  rest: RestReader | undefined = undefined;
  private readonly onRawControl: ScannerContext["onRawControl"];
  private readonly handler: JsonListener;
  private readonly fast: ShortCuts | undefined;
  private readonly allow: number;
  private state: number = State.VALUE;

  /** The part of the open token that is not told yet: in a string of this chunk, in a key or number of all chunks. */
  private token = "";
  private inKey = false;
  private hex = "";
  /** How many characters of the open literal were read, or of the open number told. */
  private matched = 0;
  private literal: Literal = literalTrue;
  private readonly number: OpenNumber = new OpenNumber();

  constructor({ options, builder, handler, onRawControl }: ScannerContext) {
    this.handler = handler;
    this.onRawControl = onRawControl;
    this.allow = options.allow ?? 0;
    this.nesting = new Nesting(options);
    const { nesting, position } = this;
    this.fast = options.fast?.({ options, builder, nesting, position });
  }

  get begun(): boolean {
    return this.state !== State.VALUE || this.nesting.depth > 0;
  }

  get done(): boolean {
    return this.state === State.DONE;
  }

  get inString(): boolean {
    return State.isInString(this.state);
  }

  scan(text: string): void {
    const { length } = text;
    let i = 0;
    this.fast?.begin(length);
    while (i < length) {
      const character = text.charCodeAt(i);
      switch (this.state) {
        case State.VALUE:
        case State.FIRST_ELEMENT:
          i = this.scanValue(text, i, character);
          break;
        case State.FIRST_KEY:
        case State.KEY:
          i = this.scanKey(text, i, character);
          break;
        case State.AFTER_KEY:
          if (character === Char.COLON) {
            this.state = State.VALUE;
            i++;
          } else i = this.skipSpace(text, i, character);
          break;
        case State.AFTER_VALUE:
          i = this.scanSeparator(text, i, character);
          break;
        case State.STRING:
          i = this.continueString(text, i);
          break;
        case State.ESCAPE:
          i = this.scanEscape(i, character);
          break;
        case State.UNICODE:
          i = this.scanUnicode(text, i, character);
          break;
        case State.GUESSED_KEY:
          i = this.matchKey(text, i);
          break;
        case State.NUMBER:
          i = this.scanNumber(text, i, i);
          break;
        case State.LITERAL:
          i = this.scanLiteral(text, i);
          break;
        default:
          i = this.scanRest(text, i, character);
      }
    }
    if (State.isInToken(this.state)) this.tellOpenToken();
  }

  finish(): boolean {
    // Nothing but the end of the text ends a number at the root.
    if (this.state === State.NUMBER && this.nesting.depth === 0 && this.number.whole) this.endNumber();
    return this.state === State.DONE;
  }

  expected(): string {
    if (this.state === State.LITERAL) return `"${this.literal.word}"`;
    if (this.state === State.NUMBER) return this.number.whole ? "the end of the number" : "a digit";
    return describeExpected(this.state, this.nesting.inArray);
  }

  fail(code: JsonParseErrorCode, problem: string, i: number, expected: string = this.expected()): Mistake {
    const { state, handler } = this;
    if (State.isInToken(state)) this.tellOpenToken();
    return this.position.mistake(code, problem, i, () => ({
      expected,
      pointer: handler.pointer(State.isInValue(state) && !this.inKey),
      value: handler.snapshot(),
    }));
  }

  private scanValue(text: string, i: number, character: number): number {
    if (character === Char.QUOTE) return this.scanString(text, i + 1);
    if (Char.opensContainer(character)) return this.scanContainer(text, i, character);
    if (Char.isDigit(character) || character === Char.MINUS) {
      this.number.begin(character);
      this.matched = 0;
      this.state = State.NUMBER;
      return this.scanNumber(text, i, i + 1);
    }
    const literal = literalOf(character);
    if (literal !== undefined) {
      this.literal = literal;
      this.matched = 1;
      this.state = State.LITERAL;
      return this.scanLiteral(text, i + 1);
    }
    if (character === Char.CLOSE_BRACKET && this.state === State.FIRST_ELEMENT) return this.close(i);
    return this.skipSpace(text, i, character);
  }

  /** At an opening bracket. */
  private scanContainer(text: string, i: number, bracket: number): number {
    const { nesting, handler, fast } = this;
    // The value of a member is not the start of a run: a key follows it.
    if (nesting.inArray || nesting.depth === 0) {
      const end = this.readRun(text, i);
      if (end > i) return end;
    }
    if (nesting.depth >= nesting.maxDepth) throw tooDeep(this, i);
    const isArray = bracket === Char.OPEN_BRACKET;
    handler.open(isArray);
    nesting.open(isArray);
    fast?.open(isArray);
    this.state = isArray ? State.FIRST_ELEMENT : State.FIRST_KEY;
    return isArray ? i + 1 : this.scanMember(text, i + 1);
  }

  private close(i: number): number {
    this.fast?.close(i);
    this.nesting.close();
    this.handler.close();
    this.afterValue();
    return i + 1;
  }

  /** Reads as many complete values from here on as the short cuts can. Returns the index after them. */
  private readRun(text: string, i: number): number {
    const end = this.fast?.read(text, i) ?? i;
    if (end > i) this.afterValue();
    return end;
  }

  /** At the comma or bracket after a value. */
  private scanSeparator(text: string, i: number, character: number): number {
    const { inArray } = this.nesting;
    if (character === Char.COMMA) {
      this.state = inArray ? State.VALUE : State.KEY;
      return inArray ? i + 1 : this.scanMember(text, i + 1);
    }
    const closes = character === (inArray ? Char.CLOSE_BRACKET : Char.CLOSE_BRACE);
    return closes ? this.close(i) : this.skipSpace(text, i, character);
  }

  /** After the bracket or comma before a member: the short cuts may read it at once. */
  private scanMember(text: string, start: number): number {
    const { fast } = this;
    if (fast === undefined || this.nesting.hasAllKeys(this.handler)) return start;
    const end = fast.member(text, start);
    if (end === start) return start;
    this.endKey(fast.keys.right());
    this.state = State.VALUE;
    const { value } = fast;
    if (value !== undefined) {
      this.handler.text(value, true);
      this.afterScalar();
    }
    return end;
  }

  /** Before a key, or at the end of an empty object. */
  private scanKey(text: string, i: number, character: number): number {
    if (character !== Char.QUOTE) {
      const closes = character === Char.CLOSE_BRACE && this.state === State.FIRST_KEY;
      return closes ? this.close(i) : this.skipSpace(text, i, character);
    }
    if (this.nesting.hasAllKeys(this.handler)) throw tooManyKeys(this, i);
    const end = this.readRun(text, i);
    if (end > i) return end;
    this.inKey = true;
    if (this.fast?.keys.guess() === undefined) return this.scanString(text, i + 1);
    this.state = State.GUESSED_KEY;
    return this.matchKey(text, i + 1);
  }

  /** Compares a key with the one that the short cuts guess. */
  private matchKey(text: string, start: number): number {
    const { keys } = this.fast as ShortCuts;
    const i = keys.match(text, start);
    if (i === text.length) return i;
    if (keys.isWhole && text.charCodeAt(i) === Char.QUOTE) {
      this.endKey(keys.right());
      return i + 1;
    }
    this.token = keys.matched;
    this.state = State.STRING;
    return this.continueString(text, i);
  }

  /** After the opening quote. A string that ends in the same chunk is cut out of it at once. */
  private scanString(text: string, start: number): number {
    const end = Char.endOfPlainText(text, start);
    if (end < text.length && text.charCodeAt(end) === Char.QUOTE) {
      this.endString(text.slice(start, end));
      return end + 1;
    }
    this.state = State.STRING;
    return this.continueString(text, start, end);
  }

  private continueString(
    text: string,
    start: number,
    end: number = Char.endOfPlainText(text, start),
  ): number {
    this.token += text.slice(start, end);
    if (end === text.length) return end;
    const character = text.charCodeAt(end);
    if (character === Char.QUOTE) this.endString(this.token);
    else if (character === Char.BACKSLASH) this.state = State.ESCAPE;
    else this.scanControl(text, end, character);
    return end + 1;
  }

  /** At a control character, which JSON allows only as an escape. */
  private scanControl(text: string, i: number, character: number): void {
    const { onRawControl } = this;
    if (onRawControl === undefined)
      throw this.fail("control_character", describeUnescaped(character), i, "an escape");
    this.tellOpenToken(); // the guard may refuse the text before
    onRawControl(this.position.offset + i);
    if (character === Char.LINE_FEED) this.position.newLine(i);
    this.token += text.charAt(i);
  }

  private endString(rest: string): void {
    this.token = "";
    if (this.inKey) this.endKey(this.fast?.keys.learn(rest) ?? rest);
    else {
      this.handler.text(rest, true);
      this.afterScalar();
    }
  }

  private endKey(key: string): void {
    this.inKey = false;
    this.nesting.children++;
    this.handler.key(key);
    this.state = State.AFTER_KEY;
  }

  private scanEscape(i: number, character: number): number {
    const meaning = character === Char.LOWER_U ? "" : Char.escaped(character);
    if (meaning === undefined) throw this.unexpected("invalid_escape", i);
    this.token += meaning;
    this.hex = "";
    this.state = character === Char.LOWER_U ? State.UNICODE : State.STRING;
    return i + 1;
  }

  private scanUnicode(text: string, i: number, character: number): number {
    if (!Char.isHexDigit(character)) throw this.unexpected("invalid_escape", i);
    this.hex += text.charAt(i);
    if (this.hex.length === 4) {
      this.token += String.fromCharCode(Number.parseInt(this.hex, 16));
      this.state = State.STRING;
    }
    return i + 1;
  }

  /** @param start where the part of the number in this chunk begins */
  private scanNumber(text: string, start: number, from: number): number {
    const { number } = this;
    const i = number.read(text, from);
    const ends = i < text.length;
    if (!ends || number.value === undefined) this.token += text.slice(start, i);
    if (ends) {
      if (!number.whole) throw this.unexpected("invalid_number", i);
      this.endNumber();
    }
    return i;
  }

  private endNumber(): void {
    this.endLeaf(this.number.value ?? Number(this.token));
  }

  private scanLiteral(text: string, start: number): number {
    const { word, value } = this.literal;
    let i = start;
    for (; i < text.length && this.matched < word.length; i++, this.matched++) {
      if (text.charCodeAt(i) !== word.charCodeAt(this.matched)) throw this.unexpected("invalid_literal", i);
    }
    if (this.matched === word.length) this.endLeaf(value);
    return i;
  }

  private endLeaf(value: number | boolean | null): void {
    this.token = "";
    this.handler.leaf(value);
    this.afterScalar();
  }

  private afterScalar(): void {
    if (this.nesting.inArray) this.nesting.children++;
    this.afterValue();
  }

  private afterValue(): void {
    this.state = this.nesting.depth === 0 ? State.DONE : State.AFTER_VALUE;
  }

  /** After the document. */
  private scanRest(text: string, i: number, character: number): number {
    const { rest } = this;
    if (rest === undefined) return this.skipSpace(text, i, character);
    rest.after(text.slice(i), this.position.offset + i);
    return text.length;
  }

  /** The chunk ends inside a token: tells the handler what is certain of it. */
  private tellOpenToken(): void {
    const { handler, token, state } = this;
    if (state === State.NUMBER) {
      // A long number is not parsed again in each chunk.
      const shows = this.allows(Allow.NUM) && this.matched < maxPartialNumber;
      this.matched = token.length;
      const shown = shows ? partialNumber(token) : undefined;
      handler.begin(Kind.NUMBER);
      if (shown !== undefined) handler.show(shown);
    } else if (state === State.LITERAL) {
      const { value, kind } = this.literal;
      handler.begin(kind);
      if (this.allows(value === null ? Allow.NULL : Allow.BOOL)) handler.show(value);
    } else if (!this.inKey) {
      this.token = Char.highSurrogateAtEnd(token);
      handler.text(this.token === "" ? token : token.slice(0, -1), false);
    }
  }

  private allows(flag: number): boolean {
    return (this.allow & flag) !== 0;
  }

  /** Skips white space between tokens. JSON allows no other character here. */
  private skipSpace(text: string, start: number, first: number): number {
    const { length } = text;
    let i = start;
    let character = first;
    while (character <= Char.SPACE) {
      if (character === Char.LINE_FEED) this.position.newLine(i);
      else if (character !== Char.SPACE && character !== Char.CARRIAGE_RETURN && character !== Char.TAB)
        break;
      if (++i === length) return i;
      character = text.charCodeAt(i);
    }
    if (i === start)
      throw this.unexpected(this.state === State.DONE ? "trailing_text" : "unexpected_character", i);
    return i;
  }

  private unexpected(code: JsonParseErrorCode, i: number): Mistake {
    return this.fail(code, describeUnexpected(this.expected(), this.position.found(i)), i);
  }
}
