import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  HASH,
  isDigit,
  isSpace,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PARENTHESIS,
  QUOTE,
  SLASH,
  SPACE,
  STAR,
} from "../scan/characters.js";
import { BACKTICK, closesQuote, isKeyCharacter, isLenientQuote, LESS } from "./characters.js";
import { isSimpleValue, startsSimpleValue } from "./simple-value.js";

/** Whether a candidate is a document; `undefined` while the text so far does not decide. */
export type Decision = boolean | undefined;

/** Number of characters withheld to distinguish a document from prose. */
const lookAhead = 256;

/**
 * A `{` or `[` that may begin a document. Reads the text after it, one character at a time, until the text decides. The
 * rules are at `Extractor`. The result does not depend on how the text is cut into chunks.
 */
export class Candidate {
  /**
   * The number of characters that are skipped if the candidate is prose: `[ [ [` on one line, because the inner
   * brackets cannot begin a document either. Without this a line of brackets would cost 128 times its length.
   */
  opening = 1;
  private readonly lenient: boolean;
  private state = KEY;
  /** The number of open arrays. */
  private arrays = 0;
  private length = 0;
  private severalLines = false;
  private opensLine = false;
  /** Whether the text begins with the bracket, and will be repaired. Then mistakes are likelier than prose. */
  private opensText = false;
  /** Whether a quote follows the brackets, which is rare in prose. */
  private quoted = false;
  private doubled = false;
  /** The state to return to after a comment, or NOT_COMMENTED. */
  private resume = NOT_COMMENTED;
  private quote = QUOTE;
  private inKey = false;
  private token = "";
  private backticks = 0;

  constructor(lenient: boolean) {
    this.lenient = lenient;
  }

  /**
   * @param opensLine whether the bracket is the first character on its line
   * @param opensText whether it is also the first character of the text
   */
  begin(character: typeof OPEN_BRACE | typeof OPEN_BRACKET, opensLine: boolean, opensText: boolean): void {
    this.state = character === OPEN_BRACE ? KEY : ELEMENT;
    this.arrays = character === OPEN_BRACE ? 0 : 1;
    this.length = 1;
    this.severalLines = false;
    this.opening = 1;
    this.opensLine = opensLine;
    this.opensText = opensText && this.lenient;
    this.quoted = false;
    this.doubled = false;
    this.resume = NOT_COMMENTED;
  }

  read(character: number): Decision {
    this.length++;
    const decision = this.step(character);
    return decision === undefined && this.length === lookAhead ? this.likely : decision;
  }

  /** Whether the candidate counts as a document if the text ends here, or if no more characters can be held back. */
  get likely(): boolean {
    if (this.state === TOKEN) return startsSimpleValue(this.token, this.lenient);
    return this.opensLine || this.quoted;
  }

  private step(character: number): Decision {
    switch (this.state) {
      case KEY:
        return isSpace(character) ? undefined : this.readKey(character);
      case ELEMENT:
        this.severalLines ||= character === LINE_FEED;
        return isSpace(character) ? undefined : this.readElement(character);

      case STRING:
        if (closesQuote(this.quote, character)) return this.become(this.inKey ? AFTER_KEY : AFTER_STRING);
        if (character === BACKSLASH) return this.become(ESCAPE);
        return character < SPACE && !this.opensText ? false : undefined;
      case ESCAPE:
        return character < SPACE ? false : this.become(STRING);

      case UNQUOTED_KEY:
        if (isKeyCharacter(character)) return undefined;
        this.state = AFTER_KEY;
        return this.readAfterKey(character);
      case AFTER_KEY:
        return this.readAfterKey(character);

      case TOKEN:
        if (!isSpace(character) && character !== COMMA && character !== CLOSE_BRACKET) {
          this.token += String.fromCharCode(character);
          return undefined;
        }
        if (!isSimpleValue(this.token, this.lenient)) return false;
        this.state = AFTER_ELEMENT;
        return this.readAfterElement(character);
      case AFTER_ELEMENT:
        return this.readAfterElement(character);

      case AFTER_STRING:
        if (character === COMMA) return true;
        if (character === CLOSE_BRACKET) return this.become(AFTER_ONE_STRING);
        return isSpace(character) ? undefined : false;
      case AFTER_ONE_STRING:
        return character !== OPEN_PARENTHESIS && character !== OPEN_BRACKET && character !== COLON;
      case AFTER_EMPTY_OBJECT:
        if (character === COMMA || character === CLOSE_BRACKET) return true;
        return isSpace(character) ? undefined : false;

      case COMPLETE:
        if (character === LINE_FEED) return true;
        if (character === BACKTICK) {
          this.backticks = 1;
          return this.become(CLOSING_FENCE);
        }
        if (character === LESS) return this.become(CLOSING_TAG);
        return isSpace(character) ? undefined : false;
      case CLOSING_FENCE:
        if (character !== BACKTICK) return false;
        return ++this.backticks === 3 ? true : undefined;
      case CLOSING_TAG:
        return character === SLASH;

      default:
        return this.readComment(character);
    }
  }

  private readKey(character: number): Decision {
    if (this.beginsString(character)) {
      this.inKey = true;
      return this.become(STRING);
    }
    if (character === CLOSE_BRACE) {
      if (this.doubled) return false; // {{}}
      if (this.arrays > 0) return this.become(AFTER_EMPTY_OBJECT);
      return this.opensLine ? this.become(COMPLETE) : false;
    }
    if (!this.lenient || !this.opensLine) return false;
    if (character === COMMA && this.opensText) return undefined;
    if (isKeyCharacter(character)) return this.become(UNQUOTED_KEY);
    if (character === OPEN_BRACE && !this.doubled && this.resume === NOT_COMMENTED) {
      this.doubled = true;
      return undefined;
    }
    return this.beginComment(character);
  }

  private readElement(character: number): Decision {
    if (this.beginsString(character)) {
      // Prose never begins a line like this. Deciding now lets a long string be shown while it grows.
      if (this.opensLine && character === QUOTE) return true;
      this.inKey = false;
      return this.become(STRING);
    }
    if (character === OPEN_BRACE) return this.become(KEY);
    if (character === OPEN_BRACKET) {
      this.arrays++;
      if (!this.severalLines) this.opening = this.length; // a bracket that opens its line may be a document
      return undefined;
    }
    if (!this.opensLine) return false;
    if (character === COMMA && this.opensText) return undefined;
    if (character === CLOSE_BRACKET) return this.closeArray();
    if (startsSimpleValue(String.fromCharCode(character), this.lenient)) {
      this.token = String.fromCharCode(character);
      return this.become(TOKEN);
    }
    return this.lenient ? this.beginComment(character) : false;
  }

  private readAfterKey(character: number): Decision {
    if (character === COLON) return true;
    if (isSpace(character)) return undefined;
    // The colon is missing: {"a" "b"}
    return (
      this.opensText &&
      this.quote !== BACKTICK &&
      (this.beginsString(character) || isDigit(character) || isOpeningBracket(character))
    );
  }

  private readAfterElement(character: number): Decision {
    if (character === COMMA) return true;
    if (character === CLOSE_BRACKET) return this.closeArray();
    return isSpace(character) ? undefined : false;
  }

  private closeArray(): Decision {
    return this.become(--this.arrays === 0 ? COMPLETE : AFTER_ELEMENT);
  }

  private beginsString(character: number): boolean {
    if (character !== QUOTE && !(this.lenient && isLenientQuote(character))) return false;
    this.quote = character;
    this.quoted = true;
    return true;
  }

  private beginComment(character: number): Decision {
    if (character !== SLASH && character !== HASH) return false;
    this.resume = this.state;
    return this.become(character === SLASH ? AFTER_SLASH : AFTER_HASH);
  }

  private readComment(character: number): Decision {
    switch (this.state) {
      case AFTER_SLASH:
        if (character === STAR) return this.become(BLOCK_COMMENT);
        return character === SLASH ? this.become(AFTER_SLASHES) : false;
      case AFTER_SLASHES:
        if (character === CLOSE_BRACKET) return false;
        break;
      case AFTER_HASH:
        if (!isSpace(character)) return false;
        break;
      case BLOCK_COMMENT:
        return character === STAR ? this.become(AFTER_STAR) : undefined;
      case AFTER_STAR:
        if (character === SLASH) return this.endComment();
        return character === STAR ? undefined : this.become(BLOCK_COMMENT);
    }
    return character === LINE_FEED ? this.endComment() : this.become(LINE_COMMENT);
  }

  private endComment(): Decision {
    return this.become(this.resume);
  }

  private become(state: number): Decision {
    this.state = state;
    return undefined;
  }
}

function isOpeningBracket(character: number): boolean {
  return character === OPEN_BRACE || character === OPEN_BRACKET;
}

const NOT_COMMENTED = -1;

// The states, each with a sample of the text that leads there.
const KEY = 0; // {  or [{
const ELEMENT = 1; // [  or [[
const STRING = 2; // {"na  or ["te
const ESCAPE = 3; // {"na\
const UNQUOTED_KEY = 4; // {na
const AFTER_KEY = 5; // {"name"
const TOKEN = 6; // [12  or [tru
const AFTER_ELEMENT = 7; // [12 |  or [[]
const AFTER_STRING = 8; // ["text"
const AFTER_ONE_STRING = 9; // ["text"]  followed by "(" it is a link
const AFTER_EMPTY_OBJECT = 10; // [{}
const COMPLETE = 11; // {}  or [1]
const CLOSING_FENCE = 12; // {}`
const CLOSING_TAG = 13; // {}<
const AFTER_SLASH = 14; // {/
const AFTER_SLASHES = 15; // {//  followed by "]" it is a Markdown comment, [//]: #
const AFTER_HASH = 16; // {#  only followed by a space it is a comment, unlike {#if}
const LINE_COMMENT = 17; // {// te
const BLOCK_COMMENT = 18; // {/* te
const AFTER_STAR = 19; // {/* text *
