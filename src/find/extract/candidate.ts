import * as Char from "../../json/scan/characters.js";
import { closingQuotesOf, isOtherComma } from "../../lenient/characters.js";
import { BACKTICK, isBlank, isForeignColon, isKeyCharacter, LESS } from "../../text/around/characters.js";
import { isSimpleValue, startsSimpleValue } from "./simple-value.js";

/** Is a candidate a document? `undefined` while the text so far does not decide. */
export type Decision = boolean | undefined;

/** How many characters are withheld to tell a document from prose. */
const lookAhead = 256;

/** The text before a candidate. */
interface Before {
  /** Is the bracket the first character of its line? */
  readonly opensLine: boolean;
  /** Is it also the first character of the text? */
  readonly opensText: boolean;
}

/** Reads the next character, and names the state for the one after it. */
type State = (it: Candidate, character: number) => Decision;

/**
 * A `{` or `[` that may begin a document. Reads the text after it until the text decides; the rules are at `Extractor`.
 * Each character is read once, so unlike the look-ahead of `lenient/`, which reads its text again with each chunk, a text
 * full of brackets stays cheap. Strings and words are those of `lenient/`.
 *
 * With `{"na` in one chunk and `me":` in the next, the states are `key`, `string` (until `"`), `afterKey`, and the colon
 * decides: a document. Each state with a text that leads there, and the text that decides:
 *
 * | state          | after      | document                       | prose                    |
 * | -------------- | ---------- | ------------------------------ | ------------------------ |
 * | `key`          | `{`        |                                | any text but a key, `}`  |
 * | `string`       | `{"na`     |                                | a line end               |
 * | `bareKey`      | `{na`      |                                |                          |
 * | `afterKey`     | `{"name"`  | `:`; or, at the start of a text, a value | the rest       |
 * | `element`      | `[`        | `"` at the start of a line     | any text but a value     |
 * | `token`        | `[12`      |                                | no number or literal     |
 * | `afterMarker`  | `[1. `     |                                | the rest                 |
 * | `afterElement` | `[12 `     | `,`                            | the rest                 |
 * | `afterString`  | `["text"`  | `,`                            | the rest                 |
 * | `afterList`    | `["text"]` | the rest                       | `(`, `[`, `:`: a link    |
 * | `afterEmpty`   | `[{}`      | `,` or `]`                     | the rest                 |
 * | `complete`     | `[1]`      | a line end, a fence or closing tag | the rest             |
 * | `memberKey`    | `"na`      |                                | not a key in words       |
 * | `afterMember`  | `"name":`  | a string, number or bracket    | the rest                 |
 */
export class Candidate {
  /**
   * The number of characters that are skipped if the candidate is prose: `[ [ [` on one line, because the inner
   * brackets cannot begin a document either. Without this a line of brackets would cost 128 times its length.
   */
  opening = 1;
  /** Is there a bracket? Without one the candidate is members of an object: `"a": 1}`. */
  readonly isOpen: boolean;
  readonly lenient: boolean;
  readonly opensLine: boolean;
  /** Does the text begin with the bracket, and will it be repaired? Then mistakes are likelier than prose. */
  readonly opensText: boolean;
  state: State;
  /** The number of open arrays. */
  arrays: number;
  length = 1;
  severalLines = false;
  /** Does a quote follow the brackets, which is rare in prose? */
  quoted = false;
  doubled = false;
  /** The state after the last comment. */
  resume: State | undefined;
  /** The quotes that close the string; none if each has a backslash before it: `{\"a\": 1}`. */
  closingQuotes = '"';
  inKey = false;
  token = "";
  /** The length up to the opening quote of the string. */
  stringStart = 0;
  /** Does the key contain a colon, so its closing quote may be missing, or is it empty, so its quotes may be doubled? */
  isOddKey = false;

  /** @param first the bracket, or the quote of the first key if the text begins without a bracket */
  constructor(first: number, { opensLine, opensText }: Before, lenient: boolean) {
    this.lenient = lenient;
    this.opensLine = opensLine;
    this.opensText = opensText && lenient;
    this.isOpen = first !== Char.QUOTE;
    this.arrays = first === Char.OPEN_BRACKET ? 1 : 0;
    this.state = !this.isOpen ? memberKey : first === Char.OPEN_BRACKET ? element : key;
  }

  read(character: number): Decision {
    this.length++;
    const decision = this.state(this, character);
    return decision === undefined && this.length === lookAhead ? this.likely : decision;
  }

  /** Does the candidate count as a document if the text ends here, or if no more characters can be held back? */
  get likely(): boolean {
    if (!this.isOpen) return false;
    if (this.state === token) return startsSimpleValue(this.token, this.lenient);
    return this.opensLine || this.quoted;
  }

  become(state: State | undefined): Decision {
    if (state !== undefined) this.state = state;
    return undefined;
  }

  isComma(character: number): boolean {
    return character === Char.COMMA || (this.lenient && isOtherComma(character));
  }

  isBlank(character: number): boolean {
    return Char.isSpace(character) || (this.lenient && isBlank(character));
  }

  beginsString(character: number): boolean {
    if (character !== Char.QUOTE && !this.lenient) return false;
    const closingQuotes = closingQuotesOf(character);
    if (closingQuotes === "") return false;
    this.closingQuotes = closingQuotes;
    this.stringStart = this.length;
    this.quoted = true;
    return true;
  }

  beginComment(character: number): Decision {
    if (character !== Char.SLASH && character !== Char.HASH) return false;
    this.resume = this.state;
    return this.become(character === Char.SLASH ? afterSlash : afterHash);
  }

  closeArray(): Decision {
    return this.become(--this.arrays === 0 ? complete : afterElement);
  }

  endString(): Decision {
    return this.become(this.inKey ? afterKey : afterString);
  }
}

function key(it: Candidate, character: number): Decision {
  if (it.isBlank(character)) return undefined;
  it.inKey = true;
  if (it.beginsString(character)) return it.become(string);
  if (character === Char.BACKSLASH && it.lenient) return it.become(escaped);
  if (character === Char.CLOSE_BRACE) {
    if (it.doubled) return false; // {{}}
    if (it.arrays > 0) return it.become(afterEmpty);
    return it.opensLine ? it.become(complete) : false;
  }
  if (!it.lenient || !it.opensLine) return false;
  if (character === Char.COMMA && it.opensText) return undefined;
  if (isKeyCharacter(character)) return it.become(bareKey);
  if (character !== Char.OPEN_BRACE || it.doubled || it.resume !== undefined)
    return it.beginComment(character);
  it.doubled = true;
  return undefined;
}

function element(it: Candidate, character: number): Decision {
  it.severalLines ||= character === Char.LINE_FEED;
  if (it.isBlank(character)) return undefined;
  it.inKey = false;
  // Prose never begins a line like this. Deciding now lets a long string be shown while it grows.
  if (character === Char.QUOTE && it.opensLine) return true;
  if (it.beginsString(character)) return it.become(string);
  if (character === Char.BACKSLASH && it.lenient && it.opensLine) return it.become(escaped);
  if (character === Char.OPEN_BRACE) return it.become(key);
  if (character === Char.OPEN_BRACKET) {
    it.arrays++;
    if (!it.severalLines) it.opening = it.length; // a bracket that opens its line may be a document
    return undefined;
  }
  if (!it.opensLine) return false;
  if (character === Char.COMMA && it.opensText) return undefined;
  if (character === Char.CLOSE_BRACKET) return it.closeArray();
  it.token = String.fromCharCode(character);
  if (startsSimpleValue(it.token, it.lenient)) return it.become(token);
  return it.lenient ? it.beginComment(character) : false;
}

function string(it: Candidate, character: number): Decision {
  if (it.closingQuotes.includes(String.fromCharCode(character))) {
    it.isOddKey ||= it.length === it.stringStart + 1;
    return it.endString();
  }
  if (character === Char.BACKSLASH) return it.become(escape);
  if (!it.inKey) return character < Char.SPACE && !it.opensText ? false : undefined;
  it.isOddKey ||= character === Char.COLON;
  if (character >= Char.SPACE) return undefined;
  return it.opensText && (character !== Char.LINE_FEED || it.isOddKey) ? undefined : false;
}

function escape(it: Candidate, character: number): Decision {
  if (it.closingQuotes === "" && character === Char.QUOTE) return it.endString();
  return character < Char.SPACE ? false : it.become(it.isOpen ? string : memberKey);
}

/** After a backslash: a quote, or a line break before the key or element. */
function escaped(it: Candidate, character: number): Decision {
  it.closingQuotes = "";
  if (character === Char.QUOTE) return it.become(string);
  return character === Char.LOWER_N || character === Char.LOWER_T
    ? it.become(it.inKey ? key : element)
    : false;
}

function bareKey(it: Candidate, character: number): Decision {
  if (isKeyCharacter(character)) return undefined;
  it.state = afterKey;
  return afterKey(it, character);
}

function afterKey(it: Candidate, character: number): Decision {
  if (character === Char.COLON || (it.lenient && isForeignColon(character))) return true;
  if (it.isBlank(character)) return undefined;
  if (!it.lenient) return false;
  if (it.quoted && (character === Char.SLASH || character === Char.HASH)) return it.beginComment(character);
  const inBackticks = it.closingQuotes.startsWith("`");
  if (character === BACKTICK && inBackticks && it.length === it.stringStart + 2) return false; // {```json
  if (!it.opensText) return false;
  if (it.isOddKey) return character !== Char.COMMA && character !== Char.CLOSE_BRACE;
  if (it.quoted && character === Char.EQUALS) return true; // {"name" => "Ada"
  return (
    !inBackticks && (it.beginsString(character) || Char.isDigit(character) || Char.opensContainer(character))
  );
}

function memberKey(it: Candidate, character: number): Decision {
  if (character === Char.QUOTE) return it.become(afterMemberKey);
  if (character === Char.BACKSLASH) return it.become(escape);
  return isKeyCharacter(character) || character === Char.SPACE ? undefined : false;
}

function afterMemberKey(it: Candidate, character: number): Decision {
  if (character === Char.COLON) return it.become(afterMember);
  return it.isBlank(character) ? undefined : false;
}

function afterMember(it: Candidate, character: number): Decision {
  if (it.isBlank(character)) return undefined;
  return (
    character === Char.QUOTE ||
    character === Char.MINUS ||
    Char.isDigit(character) ||
    Char.opensContainer(character)
  );
}

function token(it: Candidate, character: number): Decision {
  if (!Char.isSpace(character) && !it.isComma(character) && character !== Char.CLOSE_BRACKET) {
    it.token += String.fromCharCode(character);
    return undefined;
  }
  if (it.lenient && isMarker.test(it.token)) it.state = afterMarker;
  else if (isSimpleValue(it.token, it.lenient)) it.state = afterElement;
  else return false;
  return it.state(it, character);
}

/** After the marker of a list: `[1. {"a": 2}`. But `[1. , 2]` has numbers. */
function afterMarker(it: Candidate, character: number): Decision {
  if (Char.isSpace(character)) return undefined;
  if (Char.opensContainer(character) || character === Char.QUOTE) return element(it, character);
  return it.token !== "-" && afterElement(it, character);
}

const isMarker = /^(?:-|\d{1,2}\.)$/;

function afterElement(it: Candidate, character: number): Decision {
  if (it.isComma(character)) return true;
  if (character === Char.CLOSE_BRACKET) return it.closeArray();
  return Char.isSpace(character) ? undefined : false;
}

function afterString(it: Candidate, character: number): Decision {
  return character === Char.CLOSE_BRACKET ? it.become(afterList) : afterElement(it, character);
}

function afterList(_: Candidate, character: number): Decision {
  return character !== Char.OPEN_PARENTHESIS && character !== Char.OPEN_BRACKET && character !== Char.COLON;
}

function afterEmpty(it: Candidate, character: number): Decision {
  return character === Char.CLOSE_BRACKET || afterElement(it, character);
}

function complete(it: Candidate, character: number): Decision {
  if (character === Char.LINE_FEED) return true;
  if (character === BACKTICK) return it.become(oneTick);
  if (character === LESS) return it.become((_, next) => next === Char.SLASH);
  return Char.isSpace(character) ? undefined : false;
}

function oneTick(it: Candidate, character: number): Decision {
  return character === BACKTICK ? it.become((_, next) => next === BACKTICK) : false;
}

function afterSlash(it: Candidate, character: number): Decision {
  if (character === Char.STAR) return it.become(blockComment);
  return character === Char.SLASH ? it.become(afterSlashes) : false;
}

/** `[//]: #` is a comment of Markdown. */
function afterSlashes(it: Candidate, character: number): Decision {
  return character === Char.CLOSE_BRACKET ? false : lineComment(it, character);
}

/** `{#if}` is no comment. */
function afterHash(it: Candidate, character: number): Decision {
  return Char.isSpace(character) ? lineComment(it, character) : false;
}

function lineComment(it: Candidate, character: number): Decision {
  return it.become(character === Char.LINE_FEED ? it.resume : lineComment);
}

function blockComment(it: Candidate, character: number): Decision {
  return character === Char.STAR ? it.become(afterStar) : undefined;
}

function afterStar(it: Candidate, character: number): Decision {
  if (character === Char.STAR) return undefined;
  return it.become(character === Char.SLASH ? it.resume : blockComment);
}
