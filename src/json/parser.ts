import { Allow } from "./allow.js";
import { Builder } from "./builder.js";
import {
  BACKSLASH,
  CARRIAGE_RETURN,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  escaped,
  hexValue,
  isDigit,
  isHighSurrogate,
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
import { JsonParseError, type JsonParseErrorCode } from "./errors.js";
import { excerptOf } from "./excerpt.js";
import {
  continueNumber,
  growingNumber,
  isWholeNumber,
  longestGrowingNumber,
  startOfNumber,
  type NumberState,
} from "./number.js";
import { defaultMaxDepth, defaultMaxLength, type JsonParserOptions } from "./options.js";
import type { JsonPatchOperation } from "./patch.js";
import type { JsonValue } from "./value.js";

/**
 * An incremental JSON parser: text in, in whatever pieces it comes; at any moment the value so far, an immutable
 * snapshot of it, or a JSON Patch of what is new. Synchronous; the streams around it are in `jsonParser()`.
 *
 * What it promises, each proved by a property test that names its number (test/json/invariants.test.ts):
 *
 * 1. Each character is looked at a bounded number of times: the whole stream costs O(length), with any chunking.
 * 2. The final value is deeply equal to `JSON.parse(text)`, `__proto__` and duplicate keys included. What `JSON.parse`
 *    rejects is rejected, at the earliest chunk at which no continuation could be valid.
 * 3. Strings are shown as they grow, never with half an escape or half a surrogate pair.
 * 4. Numbers, `true`, `false`, `null` and keys appear only when they are complete (unless `allow` says otherwise).
 * 5. A value never changes its type, and an array or object only ever changes at its open end. The one exception is a
 *    key given twice: as in `JSON.parse` the later value wins, by a `replace`.
 * 6. Applying every patch in order to `null` gives, after each one, exactly the snapshot of that moment.
 * 7. The first patch is `[{op: "replace", path: "", value}]`; a property or element appears with `add`, a string grows
 *    with `replace`, or with `append` where that option is set.
 * 8. Patches and snapshots are never mutated after they are handed out.
 * 9. Memory is O(value) plus a constant; `maxDepth` and `maxLength` bound it.
 *
 * @example
 * ```ts
 * import { JsonParser } from "millrace";
 *
 * const parser = new JsonParser();
 * parser.write('{"name": "Ada", "langu');
 * console.log(parser.snapshot(), parser.takePatch());
 * parser.write('ages": ["Analytical');
 * console.log(parser.snapshot(), parser.takePatch());
 * console.log(parser.isComplete("/name"), parser.isComplete("/languages/0"));
 * ```
 */
export class JsonParser {
  private readonly builder: Builder;
  private readonly allow: number;
  private readonly keepTruncated: boolean;
  private readonly maxDepth: number;
  private readonly maxLength: number;

  private state = VALUE;
  private ended = false;
  private failure: JsonParseError | undefined;

  /** The chunk that is being read, and a ring of the last ones: all the text that is kept, to show where an error is. */
  private text = "";
  private readonly recent: string[] = new Array<string>(RECENT).fill("");
  private chunks = 0;
  /** How many characters came before `text`. */
  private offset = 0;
  private line = 1;
  private lineStart = 0;

  /** The open string, key or number: what earlier chunks gave of it, and what this one adds. */
  private token = "";
  private fresh = "";
  private inKey = false;
  /** Inside `\u`: how many digits there were, and their value. */
  private digits = 0;
  private unicode = 0;
  private number: NumberState = 0;
  private literal: Literal = literals[0];
  private matched = 0;

  /** @throws {RangeError} if a bound is not a positive number */
  constructor(options: JsonParserOptions = {}) {
    this.builder = new Builder(options.append ?? false, options.onComplete);
    this.allow = options.allow ?? Allow.STR | Allow.COLLECTION;
    this.keepTruncated = options.onTruncated === "keep";
    this.maxDepth = bound("maxDepth", options.maxDepth ?? defaultMaxDepth);
    this.maxLength = bound("maxLength", options.maxLength ?? defaultMaxLength);
  }

  /**
   * Reads the next piece of the text.
   *
   * @throws {JsonParseError} at the first character that no valid continuation could have. What was known until there
   *   stays at hand (`value`, `snapshot()`, `takePatch()`); every further call throws the same error.
   */
  write(text: string): void {
    if (this.failure !== undefined) throw this.failure;
    this.text = text;
    this.recent[this.chunks++ % RECENT] = text;
    if (this.ended)
      throw this.fail("write_after_end", 0, "nothing after end()", "More text was written after end()");
    const room = this.maxLength - this.offset;
    this.scan(text.length > room ? text.slice(0, room) : text);
    if (this.state <= LAST_OF_TOKEN) this.keepToken();
    if (text.length > room) {
      throw this.fail(
        "max_length",
        room,
        "the end of the text",
        `The text is longer than maxLength, ${this.maxLength}`,
      );
    }
    this.offset += text.length;
  }

  /**
   * Says that the text has ended.
   *
   * @throws {JsonParseError} `unexpected_end` if it ended inside the document, `empty` if before it; not with
   *   `onTruncated: "keep"`. Calling it again does nothing.
   */
  end(): void {
    if (this.failure !== undefined) throw this.failure;
    if (this.ended) return;
    // A number has no end of its own: at the root it is complete when the text is.
    if (this.state === NUMBER && this.builder.depth === 0 && isWholeNumber(this.number)) this.endNumber();
    this.ended = true;
    if (this.state === DONE || this.keepTruncated) return;
    this.text = "";
    if (this.state === VALUE && this.builder.depth === 0) {
      throw this.fail("empty", 0, "a value", "Expected a JSON value, but the text ended before one began");
    }
    const expected = this.expected();
    throw this.fail(
      "unexpected_end",
      0,
      expected,
      `The text ended inside the document: expected ${expected}`,
    );
  }

  /**
   * The live value: mutated in place as text arrives, for those who want no copies. `undefined` until something is known.
   */
  get value(): JsonValue | undefined {
    return this.builder.value;
  }

  /** Whether the document is complete. A number at the root is so only after `end()`. */
  get complete(): boolean {
    return this.state === DONE;
  }

  /**
   * The value of this moment, immutable. Parts that did not change since the previous snapshot are the very same objects
   * (`===`), up to the root itself.
   */
  snapshot(): JsonValue | undefined {
    return this.builder.snapshot();
  }

  /** What changed since the last call, as the fewest operations of RFC 6902; empty if nothing did. */
  takePatch(): JsonPatchOperation[] {
    return this.builder.takePatch();
  }

  /**
   * Whether the value at a JSON Pointer is there and will not change any more.
   *
   * @throws {TypeError} if the pointer is none (RFC 6901)
   */
  isComplete(pointer: string): boolean {
    return this.builder.isComplete(pointer);
  }

  private scan(text: string): void {
    const { builder } = this;
    const { length } = text;
    let i = 0;
    while (i < length) {
      const character = text.charCodeAt(i);
      switch (this.state) {
        case VALUE:
        case FIRST_ELEMENT:
          if (character === QUOTE) i = this.scanString(text, i + 1, false);
          else if (character === OPEN_BRACE) {
            this.checkDepth(i);
            builder.openObject((this.allow & Allow.OBJ) === 0);
            this.state = FIRST_KEY;
            i++;
          } else if (character === OPEN_BRACKET) {
            this.checkDepth(i);
            builder.openArray((this.allow & Allow.ARR) === 0);
            this.state = FIRST_ELEMENT;
            i++;
          } else if (isDigit(character) || character === MINUS) {
            this.number = startOfNumber(character);
            i = this.scanNumber(text, i, i + 1);
          } else if (character === LOWER_T || character === LOWER_F || character === LOWER_N) {
            this.literal = literals[character === LOWER_T ? 0 : character === LOWER_F ? 1 : 2];
            this.matched = 1;
            i = this.scanLiteral(text, i + 1);
          } else if (character === CLOSE_BRACKET && this.state === FIRST_ELEMENT) {
            this.close();
            i++;
          } else i = this.skipSpace(text, i, character);
          break;

        case AFTER_VALUE:
          if (character === COMMA) {
            this.state = builder.inArray ? VALUE : KEY;
            i++;
          } else if (character === (builder.inArray ? CLOSE_BRACKET : CLOSE_BRACE)) {
            this.close();
            i++;
          } else i = this.skipSpace(text, i, character);
          break;

        case FIRST_KEY:
        case KEY:
          if (character === QUOTE) i = this.scanString(text, i + 1, true);
          else if (character === CLOSE_BRACE && this.state === FIRST_KEY) {
            this.close();
            i++;
          } else i = this.skipSpace(text, i, character);
          break;

        case AFTER_KEY:
          if (character === COLON) {
            this.state = VALUE;
            i++;
          } else i = this.skipSpace(text, i, character);
          break;

        case STRING:
          i = this.continueString(text, i);
          break;
        case ESCAPE:
          i = this.scanEscape(character, i);
          break;
        case UNICODE:
          i = this.scanUnicode(character, i);
          break;
        case NUMBER:
          i = this.scanNumber(text, i, i);
          break;
        case LITERAL:
          i = this.scanLiteral(text, i);
          break;

        case DONE:
          i = this.skipSpace(text, i, character);
          break;
      }
    }
  }

  /** After the opening quote. Most strings end in the chunk in which they begin, and need no more than this. */
  private scanString(text: string, start: number, isKey: boolean): number {
    const end = endOfRun(text, start);
    if (end < text.length && text.charCodeAt(end) === QUOTE) {
      this.endString(text.slice(start, end), "", isKey);
      return end + 1;
    }
    this.inKey = isKey;
    this.token = "";
    this.fresh = "";
    this.state = STRING;
    return this.continueString(text, start);
  }

  private continueString(text: string, start: number): number {
    const end = endOfRun(text, start);
    this.fresh += text.slice(start, end);
    if (end === text.length) return end;
    const character = text.charCodeAt(end);
    if (character === QUOTE) {
      this.endString(this.token + this.fresh, this.fresh, this.inKey);
      return end + 1;
    }
    if (character !== BACKSLASH) {
      const name = `U+${character.toString(16).toUpperCase().padStart(4, "0")}`;
      throw this.fail(
        "control_character",
        end,
        "an escape",
        `A control character (${name}) must be escaped inside a string`,
      );
    }
    this.state = ESCAPE;
    return end + 1;
  }

  private scanEscape(character: number, i: number): number {
    if (character === LOWER_U) {
      this.digits = 0;
      this.unicode = 0;
      this.state = UNICODE;
      return i + 1;
    }
    const meaning = escaped(character);
    if (meaning === undefined) throw this.unexpected("invalid_escape", i);
    this.fresh += meaning;
    this.state = STRING;
    return i + 1;
  }

  private scanUnicode(character: number, i: number): number {
    const digit = hexValue(character);
    if (digit < 0) throw this.unexpected("invalid_escape", i);
    this.unicode = this.unicode * 16 + digit;
    if (++this.digits === 4) {
      this.fresh += String.fromCharCode(this.unicode);
      this.state = STRING;
    }
    return i + 1;
  }

  private endString(value: string, suffix: string, isKey: boolean): void {
    this.inKey = false;
    if (isKey) {
      this.builder.key(value);
      this.state = AFTER_KEY;
    } else {
      this.builder.leaf(value, suffix);
      this.state = this.builder.depth === 0 ? DONE : AFTER_VALUE;
    }
  }

  /** @param start where the part of the number that this chunk gives begins */
  private scanNumber(text: string, start: number, from: number): number {
    if (this.state !== NUMBER) {
      this.token = "";
      this.fresh = "";
      this.state = NUMBER;
    }
    let i = from;
    for (; i < text.length; i++) {
      const next = continueNumber(this.number, text.charCodeAt(i));
      if (next < 0) break;
      this.number = next as NumberState;
    }
    this.fresh = text.slice(start, i);
    if (i === text.length) return i;
    if (!isWholeNumber(this.number)) throw this.unexpected("invalid_number", i);
    this.endNumber();
    return i;
  }

  private endNumber(): void {
    this.builder.leaf(Number(this.token + this.fresh), "");
    this.state = this.builder.depth === 0 ? DONE : AFTER_VALUE;
  }

  private scanLiteral(text: string, start: number): number {
    const { word, value } = this.literal;
    let i = start;
    this.state = LITERAL;
    for (; i < text.length && this.matched < word.length; i++, this.matched++) {
      if (text.charCodeAt(i) !== word.charCodeAt(this.matched)) throw this.unexpected("invalid_literal", i);
    }
    if (this.matched === word.length) {
      this.builder.leaf(value, "");
      this.state = this.builder.depth === 0 ? DONE : AFTER_VALUE;
    }
    return i;
  }

  private close(): void {
    this.builder.close();
    this.state = this.builder.depth === 0 ? DONE : AFTER_VALUE;
  }

  /** The chunk ends inside a token: keeps what there is of it, and shows what may be shown. */
  private keepToken(): void {
    const { builder, allow } = this;
    switch (this.state) {
      case NUMBER: {
        const grows = (allow & Allow.NUM) !== 0 && this.token.length < longestGrowingNumber;
        this.token += this.fresh;
        this.fresh = "";
        const shown = grows ? growingNumber(this.token) : undefined;
        if (shown !== undefined) builder.showLeaf(shown, "");
        break;
      }
      case LITERAL: {
        const { value } = this.literal;
        if ((allow & (value === null ? Allow.NULL : Allow.BOOL)) !== 0) builder.showLeaf(value, "");
        break;
      }
      default: {
        let { fresh } = this;
        // The first half of a surrogate pair waits for the second (invariant 3).
        const last = fresh.length - 1;
        const high = last >= 0 && isHighSurrogate(fresh.charCodeAt(last)) ? fresh.charAt(last) : "";
        if (high !== "") fresh = fresh.slice(0, last);
        this.token += fresh;
        if (!this.inKey && (allow & Allow.STR) !== 0) builder.showLeaf(this.token, fresh);
        this.fresh = high;
      }
    }
  }

  private checkDepth(i: number): void {
    if (this.builder.depth < this.maxDepth) return;
    throw this.fail("max_depth", i, "a scalar or the end", `Nested deeper than maxDepth, ${this.maxDepth}`);
  }

  /** White space between tokens (RFC 8259 section 2), or the error that something else stands there. */
  private skipSpace(text: string, start: number, first: number): number {
    let i = start;
    let character = first;
    do {
      if (character === LINE_FEED) {
        this.line++;
        this.lineStart = this.offset + i + 1;
      } else if (character !== SPACE && character !== CARRIAGE_RETURN && character !== TAB) {
        if (i > start) return i;
        throw this.unexpected(this.state === DONE ? "trailing_text" : "unexpected_character", i);
      }
      character = text.charCodeAt(++i);
    } while (i < text.length);
    return i;
  }

  /** What could stand at this place, in words. */
  private expected(): string {
    switch (this.state) {
      case FIRST_ELEMENT:
        return 'a value or "]"';
      case FIRST_KEY:
        return 'a key in double quotes or "}"';
      case KEY:
        return "a key in double quotes";
      case AFTER_KEY:
        return '":"';
      case AFTER_VALUE:
        return this.builder.inArray ? '"," or "]"' : '"," or "}"';
      case STRING:
        return "the end of the string";
      case ESCAPE:
        return 'one of " \\ / b f n r t u after the backslash';
      case UNICODE:
        return "four hexadecimal digits after \\u";
      case NUMBER:
        return isWholeNumber(this.number) ? "the end of the number" : "a digit";
      case LITERAL:
        return `"${this.literal.word}"`;
      case DONE:
        return "nothing after the document";
      default:
        return "a value";
    }
  }

  private unexpected(code: JsonParseErrorCode, i: number): JsonParseError {
    const expected = this.expected();
    const found = String.fromCodePoint(this.text.codePointAt(i) as number);
    return this.fail(code, i, expected, `Expected ${expected}, but found ${JSON.stringify(found)}`);
  }

  /** @param i the place in `text` */
  private fail(code: JsonParseErrorCode, i: number, expected: string, problem: string): JsonParseError {
    if (this.state <= LAST_OF_TOKEN) this.keepToken();
    const offset = this.offset + i;
    const next = this.chunks % RECENT;
    const known = [...this.recent.slice(next), ...this.recent.slice(0, next)].join("");
    const index = known.length - this.text.length + i;
    this.failure = new JsonParseError(code, problem, {
      offset,
      line: this.line,
      column: offset - this.lineStart + 1,
      pointer: this.builder.pointer(this.state <= VALUE && !this.inKey),
      expected,
      found: i < this.text.length ? String.fromCodePoint(this.text.codePointAt(i) as number) : undefined,
      value: this.builder.snapshot(),
      excerpt: excerptOf(known, index, index - (offset - this.lineStart)),
    });
    return this.failure;
  }
}

// The states, each with a sample of the input that leads there. Those inside a token come first.
const STRING = 0; // "ab
const ESCAPE = 1; // "ab\
const UNICODE = 2; // "ab\u00
const NUMBER = 3; // 12
const LITERAL = 4; // tru
const LAST_OF_TOKEN = LITERAL;
const VALUE = 5; // nothing yet, {"a":  or [1,
const FIRST_ELEMENT = 6; // [
const FIRST_KEY = 7; // {
const KEY = 8; // {"a": 1,
const AFTER_KEY = 9; // {"a"
const AFTER_VALUE = 10; // [1
const DONE = 11; // {}

const RECENT = 16;

type Literal = (typeof literals)[number];

const literals = [
  { word: "true", value: true },
  { word: "false", value: false },
  { word: "null", value: null },
] as const;

/** Where the characters that stand for themselves end: at a quote, a backslash, a control character or the chunk's end. */
function endOfRun(text: string, start: number): number {
  const { length } = text;
  let i = start;
  while (i < length) {
    const character = text.charCodeAt(i);
    if (character === QUOTE || character === BACKSLASH || character < SPACE) break;
    i++;
  }
  return i;
}

function bound(name: string, value: number): number {
  if (value > 0) return value;
  throw new RangeError(`${name} must be a positive number, but is ${value}.`);
}
