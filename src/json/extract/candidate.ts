import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  EQUALS,
  HASH,
  isDigit,
  isSpace,
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
import * as At from "./candidate-states.js";
import { BACKTICK, closesQuote, isBlank, isKeyCharacter, isLenientQuote, LESS } from "./characters.js";
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
  /** Whether there is a bracket. Without one the candidate is members of an object: `"a": 1}`. */
  isOpen = true;
  private state = At.KEY;
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
  /** Whether the quotes have a backslash before them: `{\"a\": 1}`. */
  private isEscaped = false;
  /**
   * Whether the key contains a colon, so its closing quote may be missing, or is empty, so its quotes may be doubled.
   */
  private isOddKey = false;
  /** The length up to the opening quote of the string. */
  private stringStart = 0;

  constructor(lenient: boolean) {
    this.lenient = lenient;
  }

  /**
   * @param opensLine whether the bracket is the first character on its line
   * @param opensText whether it is also the first character of the text
   */
  begin(character: typeof OPEN_BRACE | typeof OPEN_BRACKET, opensLine: boolean, opensText: boolean): void {
    this.state = character === OPEN_BRACE ? At.KEY : At.ELEMENT;
    this.arrays = character === OPEN_BRACE ? 0 : 1;
    this.length = 1;
    this.isOpen = true;
    this.severalLines = false;
    this.opening = 1;
    this.opensLine = opensLine;
    this.opensText = opensText && this.lenient;
    this.quoted = false;
    this.doubled = false;
    this.resume = NOT_COMMENTED;
    this.isEscaped = false;
    this.isOddKey = false;
  }

  /** At the quote with which the text begins. It may be that of a key, if the model left out the bracket before it. */
  beginMembers(): void {
    this.begin(OPEN_BRACE, true, true);
    this.isOpen = false;
    this.inKey = true;
    this.quote = QUOTE;
    this.state = At.STRING;
  }

  read(character: number): Decision {
    this.length++;
    const decision = this.step(character);
    return decision === undefined && this.length === lookAhead ? this.likely : decision;
  }

  /** Whether the candidate counts as a document if the text ends here, or if no more characters can be held back. */
  get likely(): boolean {
    if (!this.isOpen) return false;
    if (this.state === At.TOKEN) return startsSimpleValue(this.token, this.lenient);
    return this.opensLine || this.quoted;
  }

  private step(character: number): Decision {
    switch (this.state) {
      case At.KEY:
        return this.isBlank(character) ? undefined : this.readKey(character);
      case At.ELEMENT:
        this.severalLines ||= character === LINE_FEED;
        return this.isBlank(character) ? undefined : this.readElement(character);

      case At.STRING:
        if (closesQuote(this.quote, character)) {
          this.isOddKey ||= this.length === this.stringStart + 1;
          return this.become(this.inKey ? At.AFTER_KEY : At.AFTER_STRING);
        }
        if (character === BACKSLASH) return this.become(At.ESCAPE);
        return this.readText(character);
      case At.ESCAPE:
        if (this.isEscaped && character === QUOTE)
          return this.become(this.inKey ? At.AFTER_KEY : At.AFTER_STRING);
        return character < SPACE ? false : this.become(At.STRING);
      case At.ESCAPED_KEY:
      case At.ESCAPED_ELEMENT:
        return this.readEscaped(character);

      case At.UNQUOTED_KEY:
        if (isKeyCharacter(character)) return undefined;
        this.state = At.AFTER_KEY;
        return this.readAfterKey(character);
      case At.AFTER_KEY:
        return this.readAfterKey(character);
      case At.BEFORE_VALUE:
        if (this.isBlank(character)) return undefined;
        return (
          character === QUOTE || character === MINUS || isDigit(character) || isOpeningBracket(character)
        );

      case At.TOKEN:
        if (!isSpace(character) && character !== COMMA && character !== CLOSE_BRACKET) {
          this.token += String.fromCharCode(character);
          return undefined;
        }
        if (!isSimpleValue(this.token, this.lenient)) return false;
        this.state = At.AFTER_ELEMENT;
        return this.readAfterElement(character);
      case At.AFTER_ELEMENT:
        return this.readAfterElement(character);

      case At.AFTER_STRING:
        if (character === COMMA) return true;
        if (character === CLOSE_BRACKET) return this.become(At.AFTER_ONE_STRING);
        return isSpace(character) ? undefined : false;
      case At.AFTER_ONE_STRING:
        return character !== OPEN_PARENTHESIS && character !== OPEN_BRACKET && character !== COLON;
      case At.AFTER_EMPTY_OBJECT:
        if (character === COMMA || character === CLOSE_BRACKET) return true;
        return isSpace(character) ? undefined : false;

      case At.COMPLETE:
        if (character === LINE_FEED) return true;
        if (character === BACKTICK) {
          this.backticks = 1;
          return this.become(At.CLOSING_FENCE);
        }
        if (character === LESS) return this.become(At.CLOSING_TAG);
        return isSpace(character) ? undefined : false;
      case At.CLOSING_FENCE:
        if (character !== BACKTICK) return false;
        return ++this.backticks === 3 ? true : undefined;
      case At.CLOSING_TAG:
        return character === SLASH;

      default:
        return this.readComment(character);
    }
  }

  /** In a string. */
  private readText(character: number): Decision {
    if (!this.inKey) return character < SPACE && !this.opensText ? false : undefined;
    if (!this.isOpen) return isKeyCharacter(character) || character === SPACE ? undefined : false;
    this.isOddKey ||= character === COLON;
    if (character >= SPACE) return undefined;
    return this.opensText && (character !== LINE_FEED || this.isOddKey) ? undefined : false;
  }

  private readKey(character: number): Decision {
    if (this.beginsString(character)) {
      this.inKey = true;
      return this.become(At.STRING);
    }
    if (character === BACKSLASH && this.lenient) return this.become(At.ESCAPED_KEY);
    if (character === CLOSE_BRACE) {
      if (this.doubled) return false; // {{}}
      if (this.arrays > 0) return this.become(At.AFTER_EMPTY_OBJECT);
      return this.opensLine ? this.become(At.COMPLETE) : false;
    }
    if (!this.lenient || !this.opensLine) return false;
    if (character === COMMA && this.opensText) return undefined;
    if (isKeyCharacter(character)) return this.become(At.UNQUOTED_KEY);
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
      return this.become(At.STRING);
    }
    if (character === BACKSLASH && this.lenient && this.opensLine) return this.become(At.ESCAPED_ELEMENT);
    if (character === OPEN_BRACE) return this.become(At.KEY);
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
      return this.become(At.TOKEN);
    }
    return this.lenient ? this.beginComment(character) : false;
  }

  private readAfterKey(character: number): Decision {
    if (character === COLON) return this.isOpen ? true : this.become(At.BEFORE_VALUE);
    if (this.isBlank(character)) return undefined;
    if (!this.isOpen || !this.lenient) return false;
    if (this.quoted && (character === SLASH || character === HASH)) return this.beginComment(character);
    if (character === BACKTICK && this.opensFence) return false;
    if (!this.opensText) return false;
    if (this.isOddKey) return character !== COMMA && character !== CLOSE_BRACE;
    if (this.quoted && character === EQUALS) return true; // {"name" => "Ada"
    return (
      this.quote !== BACKTICK &&
      (this.beginsString(character) || isDigit(character) || isOpeningBracket(character))
    );
  }

  /** Whether this is the third of the backticks after the bracket: `` {```json ``. */
  private get opensFence(): boolean {
    return this.quote === BACKTICK && this.length === this.stringStart + 2;
  }

  /** After a backslash: an escaped line break or quote. */
  private readEscaped(character: number): Decision {
    const inKey = this.state === At.ESCAPED_KEY;
    if (character === QUOTE) {
      this.isEscaped = true;
      this.inKey = inKey;
      this.quote = NO_QUOTE;
      return this.become(At.STRING);
    }
    return character === LOWER_N || character === LOWER_T ? this.become(inKey ? At.KEY : At.ELEMENT) : false;
  }

  private readAfterElement(character: number): Decision {
    if (character === COMMA) return true;
    if (character === CLOSE_BRACKET) return this.closeArray();
    return isSpace(character) ? undefined : false;
  }

  private closeArray(): Decision {
    return this.become(--this.arrays === 0 ? At.COMPLETE : At.AFTER_ELEMENT);
  }

  private beginsString(character: number): boolean {
    if (character !== QUOTE && !(this.lenient && isLenientQuote(character))) return false;
    this.quote = character;
    this.stringStart = this.length;
    this.quoted = true;
    return true;
  }

  private beginComment(character: number): Decision {
    if (character !== SLASH && character !== HASH) return false;
    this.resume = this.state;
    return this.become(character === SLASH ? At.AFTER_SLASH : At.AFTER_HASH);
  }

  private readComment(character: number): Decision {
    const next = At.afterInComment(this.state, character);
    return next < 0 ? false : this.become(next === At.COMMENT_ENDS ? this.resume : next);
  }

  private isBlank(character: number): boolean {
    return isSpace(character) || (this.lenient && isBlank(character));
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
const NO_QUOTE = -1;
