import { Allow } from "../json/allow.js";
import * as Kind from "../json/build/kind.js";
import { kindsAtStart } from "../json/build/kinds.js";
import type { JsonParseErrorCode } from "../json/errors.js";
import type { Mistake } from "../json/scan/rejection.js";
import type { JsonListener } from "../json/handler.js";
import { coerces, type JsonParserOptions, type ScannerContext } from "../json/options.js";
import type { JsonRepairKind } from "../json/repair.js";
import { isExact } from "../json/scan/kept-number.js";
import { type Literal, literalTrue } from "../json/scan/literal.js";
import { Nesting, tooDeep, tooManyKeys } from "../json/scan/nesting.js";
import { OpenNumber } from "../json/scan/number.js";
import type { ShortCuts } from "../json/scan/short-cuts.js";
import type { JsonValue } from "../json/value.js";
import { afterMember } from "./ahead/clean-ends.js";
import type { TextCursor } from "./cursor.js";
import { Levels } from "./levels.js";
import { Parentheses } from "./parentheses.js";
import { TokenText } from "./token-text.js";
import { Window } from "./ahead/window.js";
import * as State from "../json/scan/states.js";
import { isInAnyValue, ROOT_CLOSER, ROOT_LIST } from "./states.js";

/**
 * The open document: its state, its open containers, and the text around the cursor. The readers call it with what they
 * have read, and it calls the listener. `[1, {"a"` has made the calls `open(false)`, `leaf(1)`, `open(true)` and `key("a")`, and the state is
 * AFTER_KEY.
 */
export class OpenDocument {
  state: number = State.VALUE;
  readonly nesting: Nesting;
  readonly levels: Levels;
  readonly listener: JsonListener;
  readonly cursor: TextCursor;
  readonly ahead: Window;
  readonly token: TokenText = new TokenText();
  readonly wrongClosers: WrongClosers = { at: -1, following: [] };
  readonly parentheses: Parentheses = new Parentheses();
  readonly fast: ShortCuts | undefined;
  /** Is the open token a key? */
  inKey = false;
  sawKey = false;
  /** Had the last key no quotes? */
  bareKey = false;
  /** Was there a line feed after the last key and its colon? */
  sawLine = false;
  /** Was the last value an object or an array? */
  afterContainer = false;
  /** The doubled opening brackets whose closing ones have not come: `{{"a": 1}}`. */
  doubled = 0;
  /** The depth of the object whose key ended an array without its closing bracket; 0 if no key did. */
  torn = 0;
  /** Has each quote and backslash a backslash before it: `{\\"a\\": 1}`? */
  isEscaped = false;
  /** Has the listener been told of the open string? */
  told = false;
  /** The kinds of scalars that are shown before they are complete (`Allow`). */
  readonly allow: number;
  readonly number: OpenNumber = new OpenNumber();
  literal: Literal = literalTrue;
  /** How many characters of the open literal were read. */
  matched = 0;
  /** The offset of the open word, its open brackets, and its last character that was read. */
  readonly word = { offset: 0, nested: 0, previous: 0 };
  /** The text that ends the open comment, and the state after it. */
  comment = { end: "", after: State.VALUE as number };
  /** May an object at the root continue after its closing bracket: `{"a": 1}, "b": 2}`? */
  private readonly mayContinue: boolean;
  /** May more elements of the list at the root follow, if the text was cut? */
  listGoesOn = false;
  private readonly onRepair: JsonParserOptions["onRepair"];
  private readonly onCoerce: JsonParserOptions["onCoerce"];

  constructor({ options, builder, handler }: ScannerContext, cursor: TextCursor) {
    this.nesting = new Nesting(options);
    this.levels = new Levels(this.nesting);
    this.listener = handler;
    this.cursor = cursor;
    this.ahead = new Window(cursor, this.levels, this.parentheses, handler);
    this.allow = options.allow ?? Allow.STR | Allow.COLLECTION;
    this.mayContinue = options.extract !== undefined;
    this.onRepair = options.onRepair;
    this.onCoerce = coerces(options) ? options.onCoerce : undefined;
    const { nesting } = this;
    const { position } = cursor;
    this.fast = options.fast?.({ options, builder, nesting, position, afterString: afterMember });
  }

  open(i: number, isArray: boolean): void {
    const { nesting } = this;
    if (nesting.depth >= nesting.maxDepth) throw tooDeep(this, i);
    this.listener.open(isArray);
    nesting.open(isArray);
    this.levels.open();
    this.fast?.open(isArray);
    this.state = isArray ? State.FIRST_ELEMENT : State.FIRST_KEY;
  }

  /** Reads a closing bracket. That of an object at the root waits for the next character. */
  close(i: number): number {
    const { nesting } = this;
    if (this.mayContinue && nesting.depth === 1 && !nesting.inArray && !this.cursor.ended)
      this.state = ROOT_CLOSER;
    else this.closeNow(i);
    return i + 1;
  }

  get inArray(): boolean {
    return this.nesting.inArray;
  }

  /** Is the next value in parentheses of its own: `{"a": (1)}`? */
  get inGroup(): boolean {
    return this.parentheses.isGroup(this.nesting.depth);
  }

  closeNow(i: number): void {
    this.fast?.close(i);
    if (this.torn === this.nesting.depth) this.torn = 0;
    this.nesting.close();
    this.listener.close();
    if (this.parentheses.areOpen) this.parentheses.closeTo(this.nesting.depth);
    this.afterValue();
    this.afterContainer = true;
  }

  closeTo(depth: number, i: number): void {
    while (this.nesting.depth > depth) this.closeNow(i);
  }

  /** Before another key. */
  checkKeys(i: number): void {
    if (this.nesting.hasAllKeys(this.listener)) throw tooManyKeys(this, i);
  }

  /** A key that the short cuts have not read. */
  newKey(key: string): void {
    this.key(this.fast?.keys.learn(key) ?? key);
  }

  /** The key that the short cuts guessed has come. */
  guessedKey(): void {
    this.key((this.fast as ShortCuts).keys.right());
  }

  key(key: string): void {
    this.inKey = false;
    this.bareKey = false;
    this.sawLine = false;
    this.sawKey = true;
    this.nesting.children++;
    this.listener.key(key);
    this.state = State.AFTER_KEY;
  }

  /** The open string has grown. */
  grow(piece: string): void {
    this.told = true;
    this.listener.text(piece, false);
  }

  /** A string has ended; `piece` is the part of it that `grow()` was not told. */
  string(piece: string): void {
    this.told = false;
    this.listener.text(piece, true);
    this.afterScalar();
  }

  leaf(value: JsonValue): void {
    this.listener.leaf(value);
    this.afterScalar();
  }

  numberOf(digits: string): number {
    const value = Number(digits);
    if (this.onCoerce !== undefined && !isExact(digits)) {
      // The guard may refuse it at its first character, as it does where a chunk ends in it.
      this.listener.begin(kindsAtStart(Kind.NUMBER, true));
      this.reportRounded(digits, value);
    }
    return value;
  }

  /** Reports a number of which JavaScript has only another one. */
  reportRounded(digits: string, value: JsonValue): void {
    if (this.onCoerce !== undefined && !isExact(digits))
      this.onCoerce({ pointer: this.listener.pointer(true), kind: "rounded", from: digits, to: value });
  }

  private afterScalar(): void {
    if (this.nesting.inArray) this.nesting.children++;
    this.afterValue();
  }

  afterValue(): void {
    this.afterContainer = false;
    if (this.nesting.depth > 0) this.state = State.AFTER_VALUE;
    else this.state = this.listener.awaitsElement?.() === true ? ROOT_LIST : State.DONE;
  }

  /** After a comma, or where it is missing. */
  afterComma(): void {
    this.state = this.nesting.inArray ? State.VALUE : State.KEY;
  }

  /** Ends a list of objects at the root that has no brackets. */
  endList(): void {
    this.listener.close();
    this.state = State.DONE;
  }

  /**
   * May the string that begins with this text be a key? It may be one
   * - on the line after a key without a value: `{"a":` and then `"b": 1}`
   * - of the first object of an array, without its opening bracket: `["a": 1]`
   * - after an array without its closing bracket: `{"a": [1, "b": 1}`
   */
  mayBeKey(text: string, isWhole: boolean): boolean {
    const { inArray, children, depth } = this.nesting;
    if (text.length > longestKey || !/^[\w$-]*$/.test(text)) return false;
    if (!inArray) return this.sawLine && depth > 0;
    if (children === 0) return this.listener.allowsElement?.(Kind.OBJECT) !== false;
    return this.levels.innermost(false, depth) > 0 && this.listener.mayBeKeyAround?.(text, isWhole) !== false;
  }

  /** The array ends before a key of the object around it. */
  closeTornArray(i: number): void {
    this.closeTo(this.levels.innermost(false, this.nesting.depth), i);
    this.torn = this.nesting.depth;
  }

  /** Reports a repair at this index. */
  report(kind: JsonRepairKind, i: number): void {
    this.onRepair?.({ kind, offset: this.cursor.offset(i) });
  }

  fail(code: JsonParseErrorCode, problem: string, i: number, expected: string): Mistake {
    return this.cursor.position.mistake(code, problem, i, () => ({
      expected,
      pointer: this.listener.pointer(isInAnyValue(this.state) && !this.inKey),
      value: this.listener.snapshot(),
    }));
  }
}

/** Closing brackets that can close nothing, and follow each other: `{"a": {"b": 1]]]`. */
export interface WrongClosers {
  /** The offset of the one that is decided. */
  at: number;
  /** The offsets of those after it that were found. */
  readonly following: number[];
}

/** A longer text is no key after an array, or without the bracket before it. */
const longestKey = 64;
