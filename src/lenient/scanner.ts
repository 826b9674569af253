import { divide, newLines } from "../json/scan/move-position.js";
import * as Char from "../json/scan/characters.js";
import type { JsonParseErrorCode } from "../json/errors.js";
import type { Mistake } from "../json/scan/rejection.js";
import { defaultLookAhead, type ScannerContext } from "../json/options.js";
import { describeExpected, describeUnexpected } from "../json/scan/expected.js";
import { Position } from "../json/scan/position.js";
import type { JsonScanner, RestReader } from "../json/scan/json-scanner.js";
import { continueList, continueRoot, finishRoot } from "./between/after-root.js";
import { repairBetween } from "./between/between.js";
import { cleanEnd, ENDS, OPEN_COMMA, UNCLEAR } from "./ahead/clean-ends.js";
import { continueComment, finishComment } from "./between/comments.js";
import { beginContainer, beginKey, matchKey, readMember } from "./containers.js";
import { TextCursor, FAILS, HOLD } from "./cursor.js";
import { OpenDocument } from "./document.js";
import { escapedReader, type ReadEscaped } from "./escaped.js";
import { readRestAtEnd } from "./strings/key-quotes.js";
import { LenientString } from "./strings/open-string.js";
import { continueEscape, continueString, continueUnicode, startString } from "./strings/quoted.js";
import {
  beginLiteral,
  beginNumber,
  continueLiteral,
  continueNumber,
  endScalar,
  expectedInScalar,
  finishScalar,
  keepScalar,
} from "./scalars.js";
import * as State from "../json/scan/states.js";
import { BARE_KEY, BARE_VALUE, COMMENT, isInAnyToken, ROOT_CLOSER, ROOT_LIST } from "./states.js";
import { continueBareKey, continueBareValue, keepWord } from "./words.js";

/**
 * Reads JSON, and repairs the mistakes that models make.
 *
 * It is a machine over characters: `read()` is the table of its states. Each character goes to the reader of the open
 * token, or between tokens, where it is not JSON, to the repairs (`repairBetween()`). A reader returns the index where
 * the scan continues, or HOLD. Then the text is read again with the next chunk, so no decision depends on the chunks.
 *
 * `{'a': [1 2` gives the listener `open(false)`, `key("a")`, `open(true)` and `leaf(1)`. The repairs are `quote` at 1 and
 * `missing_comma` at 9. Valid JSON is read as the strict scanner reads it, with one difference: the text after a string,
 * number or literal decides whether it ends, so it is complete only when the next token has begun.
 */
export class LenientScanner implements JsonScanner {
  readonly position: Position = new Position();
  private readonly cursor: TextCursor;
  private readonly document: OpenDocument;
  private readonly open: LenientString;
  rest: RestReader | undefined = undefined;
  /** Reads a document in which each quote has a backslash. */
  private readEscaped: ReadEscaped | undefined;

  constructor(context: ScannerContext) {
    const { options } = context;
    const { lookAhead = defaultLookAhead } = options;
    const cursor = new TextCursor(this.position, lookAhead);
    const document = new OpenDocument(context, cursor);
    this.cursor = cursor;
    this.document = document;
    this.open = new LenientString(document, options.guard !== undefined);
  }

  get begun(): boolean {
    return this.document.state !== State.VALUE || this.document.nesting.depth > 0;
  }

  get done(): boolean {
    return this.document.state === State.DONE;
  }

  get inString(): boolean {
    return State.isInString(this.document.state) && !this.cursor.atEnd;
  }

  get closingQuotes(): string {
    return this.open.closingQuotes;
  }

  scan(text: string): void {
    const { position, cursor } = this;
    let rest = text;
    if (this.readEscaped === undefined) {
      this.scanPlain(text);
      if (!this.document.isEscaped || this.done) return;
      rest = cursor.held;
      cursor.release();
      this.readEscaped = escapedReader(position, (part) => {
        this.scanPlain(part);
        return !this.done;
      });
    }
    divide(position, rest.length);
    const after = this.readEscaped(rest);
    if (after === undefined) return;
    this.readEscaped = undefined;
    position.enter(after);
    this.scanPlain(after);
  }

  private scanPlain(text: string): void {
    this.cursor.received += text.length;
    if (!this.cursor.atEnd) this.read(this.cursor.resume(text));
    else if (text !== "") this.readAfterEnd(text);
  }

  /** The open token ends, if this chunk continues as the text after it has begun. */
  private readAfterEnd(text: string): void {
    const { cursor, document } = this;
    const { held, sawComma } = cursor;
    const { inArray } = document.nesting;
    const isScalar = document.state === State.NUMBER || document.state === State.LITERAL;
    let ends = Char.isDigit(text.charCodeAt(0)) ? UNCLEAR : ENDS;
    if (!isScalar) ends = cleanEnd(text, 0, document.inKey, inArray, sawComma);
    if (ends === ENDS) {
      if (held.length > 1) newLines(this.position, held, 0, held.length, -held.length);
      cursor.release();
      if (isScalar) endScalar(document);
      else if (document.state === State.GUESSED_KEY) document.guessedKey();
      else this.open.end();
      if (sawComma) document.afterComma();
      this.read(text);
    } else if (ends !== UNCLEAR && cursor.mayWait(held.length + text.length)) {
      cursor.held += text;
      cursor.sawComma = ends === OPEN_COMMA;
    } else this.read(cursor.resume(text));
  }

  /** Reads the text from its start. */
  private read(chunk: string): void {
    const { document, cursor } = this;
    if (document.state === State.STRING && isPlain(chunk) && this.open.readPlain(chunk)) return;
    document.fast?.begin(chunk.length);
    let text = chunk;
    for (let i = 0; i < text.length;) {
      const next = this.step(text, i, text.charCodeAt(i));
      if (next >= 0) i = next;
      else if (next === HOLD) {
        cursor.keep(text);
        break;
      } else if (next === FAILS) this.reject();
      else {
        text = cursor.text;
        i = 0;
      }
    }
    if (isInAnyToken(document.state)) this.keep();
  }

  /** Returns the index where the scan continues, HOLD, AGAIN or FAILS. */
  private step(text: string, i: number, character: number): number {
    const { document } = this;
    switch (document.state) {
      case State.VALUE:
      case State.FIRST_ELEMENT:
        return this.beginValue(text, i, character);
      case State.AFTER_VALUE: {
        const { inArray } = document.nesting;
        if (character === Char.COMMA) {
          document.afterComma();
          return inArray ? i + 1 : readMember(document, text, i + 1);
        }
        return character === (inArray ? Char.CLOSE_BRACKET : Char.CLOSE_BRACE)
          ? document.close(i)
          : this.between(text, i, character);
      }
      case State.FIRST_KEY:
      case State.KEY:
        if (character === Char.QUOTE) return beginKey(this.open, text, i);
        return character === Char.CLOSE_BRACE && document.state === State.FIRST_KEY
          ? document.close(i)
          : this.between(text, i, character);
      case State.AFTER_KEY:
        if (character !== Char.COLON) return this.between(text, i, character);
        document.sawLine = false;
        document.state = State.VALUE;
        return i + 1;
      case State.GUESSED_KEY:
        return matchKey(this.open, text, i);
      case State.STRING:
        return continueString(this.open, text, i);
      default:
        return this.stepInOther(text, i, character);
    }
  }

  private stepInOther(text: string, i: number, character: number): number {
    const { document, open } = this;
    switch (document.state) {
      case State.NUMBER:
        return continueNumber(document, text, i, i);
      case State.LITERAL:
        return continueLiteral(document, text, i);
      case State.ESCAPE:
        return continueEscape(open, text, i, character);
      case State.UNICODE:
        return continueUnicode(open, text, i, character);
      case BARE_VALUE:
        return continueBareValue(document, text, i);
      case BARE_KEY:
        return continueBareKey(document, text, i);
      case COMMENT:
        return continueComment(document, text, i);
      case ROOT_CLOSER:
        return continueRoot(document, text, i, character);
      case ROOT_LIST:
        return continueList(document, text, i);
      default: {
        const { rest } = this;
        if (rest === undefined) return this.between(text, i, character);
        rest.after(text.slice(i), this.cursor.offset(i));
        return text.length;
      }
    }
  }

  private beginValue(text: string, i: number, character: number): number {
    const { document } = this;
    switch (character) {
      case Char.QUOTE:
        return startString(this.open, text, i + 1, false);
      case Char.OPEN_BRACE:
      case Char.OPEN_BRACKET:
        return beginContainer(document, text, i, character === Char.OPEN_BRACKET);
      case Char.LOWER_T:
      case Char.LOWER_F:
      case Char.LOWER_N:
        return beginLiteral(document, text, i, character);
      case Char.CLOSE_BRACKET:
        if (document.state === State.FIRST_ELEMENT) return document.close(i);
        break;
    }
    if (Char.isDigit(character) || character === Char.MINUS) return beginNumber(document, text, i, character);
    return this.between(text, i, character);
  }

  /** Between tokens, at a character that does not begin the next one. */
  private between(text: string, start: number, first: number): number {
    let i = start;
    let character = first;
    while (Char.isSpace(character)) {
      if (character === Char.LINE_FEED) {
        this.position.newLine(i);
        this.document.sawLine = true;
      }
      if (++i === text.length) return i;
      character = text.charCodeAt(i);
    }
    return i > start ? i : repairBetween(this.open, text, i);
  }

  /** The chunk ends inside a token. */
  private keep(): void {
    const { state } = this.document;
    if (state === State.NUMBER || state === State.LITERAL) keepScalar(this.document);
    else if (state === BARE_VALUE || state === BARE_KEY) keepWord(this.document);
    else this.open.keep();
  }

  finish(truncated: boolean): boolean {
    const { cursor, position, document, open } = this;
    cursor.ended = true;
    cursor.truncated = truncated;
    position.enter("");
    if (cursor.held !== "") this.read(cursor.resume(""));
    position.leave();
    if (isInAnyToken(document.state) && State.isInString(document.state)) {
      open.keep();
      if (!truncated && readRestAtEnd(open) < 0) this.read(cursor.text);
    }
    position.leave();
    // The end of the text settles the states that wait for one more character.
    finishComment(document);
    finishScalar(document);
    if (document.state === State.AFTER_VALUE && !truncated) {
      document.report("missing_closer", 0);
      document.closeTo(0, 0);
    }
    finishRoot(document);
    return this.done;
  }

  expected(): string {
    const { state, nesting } = this.document;
    switch (state) {
      case State.NUMBER:
      case State.LITERAL:
        return expectedInScalar(this.document);
      case BARE_VALUE:
        return '"," or a closing bracket';
      case BARE_KEY:
        return '":"';
      case ROOT_LIST:
        return "another object";
      default:
        return describeExpected(state, nesting.inArray);
    }
  }

  fail(code: JsonParseErrorCode, problem: string, i: number, expected: string = this.expected()): Mistake {
    this.open.mayBeKey = false;
    const { held } = this.cursor;
    if (code === "max_length") newLines(this.position, held, 0, held.length, i - held.length);
    if (isInAnyToken(this.document.state) && !this.cursor.atEnd) this.keep();
    return this.document.fail(code, problem, i, expected);
  }

  /** A character is not JSON, and no repair is certain. */
  private reject(): never {
    const { from } = this.cursor;
    const { state } = this.document;
    const problem = describeUnexpected(this.expected(), this.position.found(from));
    throw this.fail(codes.get(state) ?? "unexpected_character", problem, from);
  }
}

/** Can the chunk be added to the open string as it is? */
function isPlain(chunk: string): boolean {
  return (
    Char.endOfPlainText(chunk, 0) === chunk.length && Char.highSurrogateAtEnd(chunk) === "" && chunk !== ""
  );
}

const codes: ReadonlyMap<number, JsonParseErrorCode> = new Map([
  [State.NUMBER, "invalid_number"],
  [State.LITERAL, "invalid_literal"],
  [State.DONE, "trailing_text"],
]);
