import { Allow } from "../allow.js";
import type { Builder } from "../build/builder.js";
import { Nesting } from "./nesting.js";
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
  LOWER_F,
  LOWER_N,
  LOWER_T,
  LOWER_U,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  TAB,
} from "./characters.js";
import type { JsonParseError, JsonParseErrorCode } from "../errors.js";
import { describeExpected, describeUnescaped, describeUnexpected } from "./expected.js";
import { partialNumber, maxPartialNumber, OpenNumber } from "./number.js";
import { createFastPaths, type FastPaths } from "../fast/fast-paths.js";
import { Kind } from "../build/kinds.js";
import { defaultMaxDepth, defaultMaxKeys, type JsonParserOptions } from "../options.js";
import { OpenToken } from "./open-token.js";
import { Position } from "./position.js";
import {
  AFTER_KEY,
  AFTER_VALUE,
  DONE,
  ESCAPE,
  FIRST_ELEMENT,
  FIRST_KEY,
  KEY,
  LITERAL,
  NUMBER,
  PREDICTED_KEY,
  STRING,
  UNICODE,
  VALUE,
  isInToken,
  isInValue,
  type QUOTED,
  type WaitingState,
} from "./states.js";
import type { JsonListener } from "../handler.js";
import type { JsonValue } from "../value.js";

/**
 * The state machine over the characters of RFC 8259. It tells its handler each key, value and bracket. Where the
 * text is not JSON it calls `deviate()`, which throws here. The lenient scanner overrides it to repair the text.
 */
export class Scanner extends OpenToken {
  protected readonly handler: JsonListener;
  readonly nesting: Nesting = new Nesting();
  readonly position: Position = new Position();
  state: number = VALUE;
  /** Receives the text after the document, and its offset. Without it such text is an error. */
  private readonly proseAfter: ((text: string, offset: number) => void) | undefined;
  protected readonly allow: number;
  private readonly maxDepth: number;
  private readonly maxKeys: number;

  /** The state to which an escape returns. */
  protected stringState: typeof STRING | typeof QUOTED = STRING;
  /** The digits after `\u`. */
  protected hex = "";
  protected readonly number: OpenNumber = new OpenNumber();
  protected literal: Literal = literalOf(LOWER_T);
  protected matched = 0;
  /** Has the handler been told of the open string? */
  private told = false;

  private readonly fast: FastPaths | undefined;

  /** @param afterString what must follow a quote that certainly ends a string, as a part of a regular expression */
  constructor(
    options: JsonParserOptions,
    { builder, handler }: ScanTarget,
    proseAfter?: (text: string, offset: number) => void,
    afterString = "",
  ) {
    super();
    this.proseAfter = proseAfter;
    this.handler = handler;
    this.allow = options.allow ?? Allow.STR | Allow.COLLECTION;
    this.maxDepth = options.maxDepth ?? defaultMaxDepth;
    this.maxKeys = options.maxKeys ?? defaultMaxKeys;
    this.fast = createFastPaths(options, afterString, builder, this.nesting, this.position);
  }

  /** The kinds that an incomplete number or literal of this kind may turn out to be. */
  protected possibleKinds(kind: number): number {
    return kind;
  }

  get begun(): boolean {
    return this.state !== VALUE || this.nesting.depth > 0;
  }

  /** Whether the document is complete. */
  get done(): boolean {
    return this.state === DONE;
  }

  /** The text at the end of the last chunk that is not decided yet. Its lines are not counted. */
  undecided(): string {
    return "";
  }

  /** Reads a chunk. `position.enter()` was called with it. */
  scan(text: string): void {
    const { nesting, fast } = this;
    const { length } = text;
    let i = 0;
    if (this.state === STRING && fast?.isPlain(text) === true && this.readPlain(text)) return;
    fast?.beginChunk(length);
    while (i < length) {
      const character = text.charCodeAt(i);
      switch (this.state) {
        case VALUE:
        case FIRST_ELEMENT:
          if (character === QUOTE) i = this.scanString(text, i + 1, false);
          else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
            i = this.scanContainer(text, i, character === OPEN_BRACE);
          } else if (isDigit(character) || character === MINUS) {
            i = this.beginNumber(text, i, character);
          } else if (character === LOWER_T || character === LOWER_F || character === LOWER_N) {
            this.literal = literalOf(character);
            this.matched = 1;
            i = this.scanLiteral(text, i + 1);
          } else if (character === CLOSE_BRACKET && this.state === FIRST_ELEMENT) {
            this.close(i++);
          } else i = this.skipSpace(text, i, character);
          break;

        case AFTER_VALUE:
          if (character === COMMA) {
            this.state = nesting.inArray ? VALUE : KEY;
            i = this.state === VALUE ? i + 1 : this.scanMember(text, i + 1);
          } else if (character === (nesting.inArray ? CLOSE_BRACKET : CLOSE_BRACE)) {
            this.close(i++);
          } else i = this.skipSpace(text, i, character);
          break;

        case FIRST_KEY:
        case KEY:
          if (character === QUOTE) {
            this.checkKeys(i);
            i = this.scanKey(text, i);
          } else if (character === CLOSE_BRACE && this.state === FIRST_KEY) {
            this.close(i++);
          } else i = this.skipSpace(text, i, character);
          break;

        case AFTER_KEY:
          if (character === COLON) {
            this.state = VALUE;
            i++;
          } else i = this.skipSpace(text, i, character);
          break;

        case PREDICTED_KEY:
          i = this.matchKey(text, i);
          break;

        case STRING:
          i = this.continueString(text, i);
          break;
        case ESCAPE:
          i = this.scanEscape(text, i, character);
          break;
        case UNICODE:
          i = this.scanUnicode(text, i, character);
          break;
        case NUMBER:
          i = this.scanNumber(text, i, i);
          break;
        case LITERAL:
          i = this.scanLiteral(text, i);
          break;

        case DONE:
          if (this.proseAfter !== undefined) {
            this.proseAfter(text.slice(i), this.position.offset + i);
            return;
          }
          i = this.skipSpace(text, i, character);
          break;
        default:
          i = this.scanLenient(text, i, character);
      }
    }
    if (isInToken(this.state)) this.keepToken();
  }

  /**
   * The text has ended. A number at the root is complete only then, because nothing else ends it.
   *
   * @returns whether the document is complete
   */
  finish(_truncated: boolean): boolean {
    if (this.state === NUMBER && this.nesting.depth === 0 && this.number.whole) this.endNumber();
    return this.state === DONE;
  }

  expected(): string {
    if (this.state === LITERAL) return `"${this.literal.word}"`;
    if (this.state === NUMBER) return this.number.whole ? "the end of the number" : "a digit";
    return describeExpected(this.state, this.nesting.inArray);
  }

  /** @param i the index in the chunk */
  fail(code: JsonParseErrorCode, problem: string, i: number, expected: string): JsonParseError {
    if (isInToken(this.state)) this.keepToken();
    return this.position.error(code, problem, i, {
      expected,
      pointer: this.handler.pointer(isInValue(this.state) && !this.inKey),
      value: this.handler.snapshot(),
    });
  }

  /** Handles a character that JSON does not allow here. Returns the index where the scan continues. */
  protected deviate(code: JsonParseErrorCode, _text: string, i: number, character: number): number {
    const isControl = code === "control_character";
    const expected = isControl ? "an escape" : this.expected();
    const problem = isControl
      ? describeUnescaped(character)
      : describeUnexpected(expected, this.position.found(i));
    throw this.fail(code, problem, i, expected);
  }

  /** Handles the states that only the lenient scanner has. */
  protected scanLenient(text: string, i: number, character: number): number {
    return this.deviate("unexpected_character", text, i, character);
  }

  /** At an opening bracket. */
  private scanContainer(text: string, i: number, isObject: boolean): number {
    const { nesting, fast } = this;
    // The value of a member is not the start of a run: a key follows it.
    if (fast !== undefined && (nesting.inArray || nesting.depth === 0)) {
      const end = this.readFast(fast, text, i);
      if (end > i) return end;
    }
    this.open(i, isObject);
    return isObject ? this.scanMember(text, i + 1) : i + 1;
  }

  /** After the bracket or comma before a member. Returns the index where the scan continues. */
  private scanMember(text: string, start: number): number {
    const { fast } = this;
    if (fast === undefined || this.hasAllKeys()) return start;
    const end = fast.readMember(text, start);
    if (end === start) return start;
    this.endKey(fast.takeKey());
    this.state = VALUE;
    const { memberValue } = fast;
    if (memberValue !== undefined) this.endString(memberValue, "", false);
    return end;
  }

  /** At the opening quote of a key. */
  private scanKey(text: string, i: number): number {
    const { fast } = this;
    if (fast === undefined) return this.scanString(text, i + 1, true);
    const end = this.readFast(fast, text, i);
    if (end > i) return end;
    return fast.predictKey() ? this.matchKey(text, i + 1) : this.scanString(text, i + 1, true);
  }

  /** Continues in a key that so far is the predicted one. */
  private matchKey(text: string, start: number): number {
    const fast = this.fast as FastPaths;
    const i = fast.matchKey(text, start);
    if (i === text.length) {
      this.state = PREDICTED_KEY;
      return i;
    }
    if (text.charCodeAt(i) === QUOTE) {
      const ends = this.isEndOfString(text, i + 1, true);
      if (ends === undefined && fast.hasWholeKey) return this.wait(PREDICTED_KEY, text, i);
      if (ends === true && this.acceptKey()) return i + 1;
    }
    this.beginString(true, STRING, fast.matchedText);
    return this.continueString(text, i);
  }

  /** Ends the predicted key. Returns whether all of it was read. */
  protected acceptKey(): boolean {
    const key = this.fast?.acceptKey();
    if (key === undefined) return false;
    this.endKey(key);
    return true;
  }

  /** Returns the index after the complete values that the fast paths have read from here, or the same index. */
  private readFast(fast: FastPaths, text: string, i: number): number {
    const end = fast.readValues(text, i);
    if (end > i) this.state = this.nesting.depth === 0 ? DONE : AFTER_VALUE;
    return end;
  }

  /** After the opening quote. A string that ends in the same chunk is cut out of it at once. */
  protected scanString(
    text: string,
    start: number,
    isKey: boolean,
    end: number = endOfPlainText(text, start),
  ): number {
    if (end < text.length && text.charCodeAt(end) === QUOTE) {
      const ends = this.isEndOfString(text, end + 1, isKey);
      if (ends === undefined) return this.wait(isKey ? KEY : VALUE, text, end, text.slice(start, end));
      if (ends) {
        this.endString(text.slice(start, end), "", isKey);
        return end + 1;
      }
    }
    this.beginString(isKey, STRING, "");
    return this.continueString(text, start, end);
  }

  protected beginString(isKey: boolean, state: typeof STRING | typeof QUOTED, read: string): void {
    this.inKey = isKey;
    this.token = read;
    this.fresh = "";
    this.state = state;
  }

  protected continueString(text: string, start: number, end: number = endOfPlainText(text, start)): number {
    this.fresh += text.slice(start, end);
    if (end === text.length) return end;
    const character = text.charCodeAt(end);
    if (character === QUOTE) {
      this.endString(this.wholeToken(), this.fresh, this.inKey);
      return end + 1;
    }
    if (character === BACKSLASH) {
      this.state = ESCAPE;
      return end + 1;
    }
    return this.deviate("control_character", text, end, character);
  }

  /** Whether the quote before this place ends the string. `undefined` if the next chunk decides. In JSON it does. */
  protected isEndOfString(_text: string, _after: number, _isKey: boolean): boolean | undefined {
    return true;
  }

  /** The next chunk decides whether a token ends here. In VALUE and KEY, one with this value. In JSON nothing waits. */
  protected wait(_state: WaitingState, text: string, _i: number, _value?: string): number {
    return text.length;
  }

  private scanEscape(text: string, i: number, character: number): number {
    if (character === LOWER_U) {
      this.hex = "";
      this.state = UNICODE;
      return i + 1;
    }
    const meaning = escaped(character);
    if (meaning === undefined) return this.deviate("invalid_escape", text, i, character);
    this.fresh += meaning;
    this.state = this.stringState;
    return i + 1;
  }

  private scanUnicode(text: string, i: number, character: number): number {
    if (!isHexDigit(character)) return this.deviate("invalid_escape", text, i, character);
    this.hex += text.charAt(i);
    if (this.hex.length === 4) {
      this.fresh += String.fromCharCode(Number.parseInt(this.hex, 16));
      this.state = this.stringState;
    }
    return i + 1;
  }

  protected endString(value: string, suffix: string, isKey: boolean): void {
    if (isKey) this.endKey(this.fast === undefined ? value : this.fast.learnKey(value));
    else {
      this.handler.text(this.told ? suffix : value, true);
      this.told = false;
      this.afterLeaf();
    }
  }

  protected endKey(key: string): void {
    this.inKey = false;
    this.nesting.children++;
    this.handler.key(key);
    this.state = AFTER_KEY;
  }

  private beginNumber(text: string, start: number, first: number): number {
    this.number.begin(first);
    this.token = "";
    this.state = NUMBER;
    return this.scanNumber(text, start, start + 1);
  }

  /** @param start where this chunk's part of the number begins */
  private scanNumber(text: string, start: number, from: number): number {
    const { number } = this;
    const i = number.read(text, from);
    const ends = i < text.length && number.whole && this.isEndOfNumber(text, i);
    if (ends === true && number.value !== undefined) {
      this.endLeaf(number.value);
      return i;
    }
    this.fresh = text.slice(start, i);
    if (i === text.length) return i;
    if (ends === undefined) return this.wait(NUMBER, text, i);
    if (!ends) return this.deviate("invalid_number", text, i, text.charCodeAt(i));
    this.endNumber();
    return i;
  }

  /**
   * Whether it is certain that a number ends before this place. `undefined` if the next chunk decides. In JSON the next
   * state decides about the character.
   */
  protected isEndOfNumber(_text: string, _after: number): boolean | undefined {
    return true;
  }

  protected endNumber(): void {
    this.endLeaf(this.number.value ?? Number(this.token + this.fresh));
  }

  private scanLiteral(text: string, start: number): number {
    const { word } = this.literal;
    let i = start;
    this.state = LITERAL;
    for (; i < text.length && this.matched < word.length; i++, this.matched++) {
      const character = text.charCodeAt(i);
      if (character !== word.charCodeAt(this.matched))
        return this.deviate("invalid_literal", text, i, character);
    }
    if (this.matched < word.length) return i;
    const ends = this.isEndOfLiteral(text, i);
    if (ends === undefined) return this.wait(LITERAL, text, i);
    if (ends) this.endLiteral();
    else if (i < text.length) return this.deviate("invalid_literal", text, i, text.charCodeAt(i));
    return i;
  }

  /** The same for a literal. In JSON its last letter ends it. */
  protected isEndOfLiteral(_text: string, _after: number): boolean | undefined {
    return true;
  }

  protected endLiteral(): void {
    this.endLeaf(this.literal.value);
  }

  protected endLeaf(value: JsonValue): void {
    this.handler.leaf(value);
    this.told = false;
    this.afterLeaf();
  }

  private afterLeaf(): void {
    const { nesting } = this;
    if (nesting.inArray) nesting.children++;
    this.state = nesting.depth === 0 ? DONE : AFTER_VALUE;
  }

  protected close(i: number): void {
    this.fast?.close(i);
    this.nesting.close();
    this.handler.close();
    this.state = this.nesting.depth === 0 ? DONE : AFTER_VALUE;
  }

  /** The chunk ends inside a token. Keeps the part that was read, and shows it if `allow` permits. */
  protected keepToken(): void {
    const { allow } = this;
    switch (this.state) {
      case NUMBER: {
        const grows = (allow & Allow.NUM) !== 0 && this.token.length < maxPartialNumber;
        this.token += this.fresh;
        this.fresh = "";
        this.show(grows ? partialNumber(this.token) : undefined, this.possibleKinds(Kind.NUMBER));
        break;
      }
      case LITERAL: {
        const { value, kind } = this.literal;
        const grows = (allow & (value === null ? Allow.NULL : Allow.BOOL)) !== 0;
        this.show(grows ? value : undefined, this.possibleKinds(kind));
        break;
      }
      default: {
        const rest = this.restOf(this.fresh);
        const fresh = rest === "" ? this.fresh : this.fresh.slice(0, -rest.length);
        if (this.inKey) this.token += fresh;
        else this.addText(fresh);
        this.fresh = rest;
      }
    }
  }

  protected restOf(fresh: string): string {
    return highSurrogateAtEnd(fresh);
  }

  /** The chunk is plain text in a string. Returns whether it was read. */
  protected readPlain(text: string): boolean {
    if (this.inKey) return false;
    const { fresh } = this;
    this.fresh = "";
    this.addText(fresh + text);
    return true;
  }

  private addText(fresh: string): void {
    this.addPiece(fresh);
    this.tell(this.told ? fresh : this.textBefore);
  }

  /** The open string has grown by this piece. */
  protected tell(piece: string): void {
    this.told = true;
    this.handler.text(piece, false);
  }

  /** A number or literal is open, which may be of these kinds. Shows its value so far, if `allow` permits. */
  private show(value: number | boolean | null | undefined, kinds: number): void {
    this.handler.begin(kinds);
    if (value !== undefined) this.handler.show(value);
  }

  /** Does the innermost object have as many keys as it may have? Repeated ones count once. */
  private hasAllKeys(): boolean {
    const { maxKeys } = this;
    return this.nesting.children >= maxKeys && this.handler.hasKeys(maxKeys);
  }

  /** Checks `maxKeys` before another key. */
  protected checkKeys(i: number): void {
    const { maxKeys } = this;
    if (!this.hasAllKeys()) return;
    const problem = `An object has more keys than maxKeys (${maxKeys})`;
    throw this.fail("max_keys", problem, i, "the end of the object");
  }

  protected open(i: number, isObject: boolean): void {
    const { nesting, maxDepth } = this;
    if (nesting.depth >= maxDepth) {
      const problem = `The value is nested deeper than maxDepth (${maxDepth})`;
      throw this.fail("max_depth", problem, i, "a scalar or the end");
    }
    if (nesting.inArray) nesting.children++;
    this.handler.open(!isObject);
    nesting.open(!isObject);
    this.fast?.open(isObject);
    this.state = isObject ? FIRST_KEY : FIRST_ELEMENT;
  }

  /** Skips white space between tokens. Any other character is handled by `deviate()`. */
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
    if (i > start) return i;
    return this.deviate(this.state === DONE ? "trailing_text" : "unexpected_character", text, i, character);
  }
}

/** Where the document goes. */
export interface ScanTarget {
  /** Builds the value. Without a guard the short cuts put values into it. */
  readonly builder: Builder;
  /** The outermost handler: the guard, or else the builder. */
  readonly handler: JsonListener;
}

interface Literal {
  readonly word: string;
  readonly value: boolean | null;
  readonly kind: number;
}

/** Returns the literal that begins with this letter. */
function literalOf(letter: number): Literal {
  return letter === LOWER_T ? literalTrue : letter === LOWER_F ? literalFalse : literalNull;
}

const literalTrue: Literal = { word: "true", value: true, kind: Kind.TRUE };
const literalFalse: Literal = { word: "false", value: false, kind: Kind.FALSE };
const literalNull: Literal = { word: "null", value: null, kind: Kind.NULL };
