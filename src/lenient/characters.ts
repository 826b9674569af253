import { APOSTROPHE, BACKTICK, isForeignComma, isForeignSemicolon } from "../text/around/characters.js";
import * as Char from "../json/scan/characters.js";

export function isOpener(character: number): boolean {
  return Char.opensContainer(character) || character === Char.OPEN_PARENTHESIS;
}

export function isCloser(character: number): boolean {
  return (
    character === Char.CLOSE_BRACE || character === Char.CLOSE_BRACKET || character === Char.CLOSE_PARENTHESIS
  );
}

/** A bracket of JSON. */
export function isBracket(character: number): boolean {
  return isCloser(character) ? character !== Char.CLOSE_PARENTHESIS : Char.opensContainer(character);
}

/** A comma, a colon or a bracket of JSON. */
export function isStructural(character: number): boolean {
  return character === Char.COMMA || character === Char.COLON || isBracket(character);
}

/** A character between two members or elements that is not the comma of JSON. */
export function isOtherComma(character: number): boolean {
  return (
    character === SEMICOLON ||
    isForeignComma(character) ||
    isForeignSemicolon(character) ||
    character === WIDE_BAR
  );
}

const SEMICOLON = 0x3b;
const WIDE_BAR = 0xff5c; // ｜

/** Returns the bracket of JSON for `［`, `］`, `｛` and `｝`, and any other character as it is. */
export function narrowBracket(character: number): number {
  switch (character) {
    case WIDE_BRACKET:
      return Char.OPEN_BRACKET;
    case 0xff3d: // ］
      return Char.CLOSE_BRACKET;
    case 0xff5b: // ｛
      return Char.OPEN_BRACE;
    case 0xff5d: // ｝
      return Char.CLOSE_BRACE;
    default:
      return character;
  }
}

/** `［`, the first of them */
export const WIDE_BRACKET = 0xff3b;

/** Does the character end a key without quotes, or a number at the root? */
export function endsWord(character: number): boolean {
  return Char.isSpace(character) || (isStructural(character) && character !== Char.COLON);
}

/** Returns the quotes that close a string that began with this character; an empty string if it is not a quote. */
export function closingQuotesOf(character: number): string {
  switch (character) {
    case Char.QUOTE:
      return '"';
    case APOSTROPHE:
      return "'";
    case BACKTICK:
      return "`\u00b4"; // ` and ´
    case 0x201c: // “
    case 0x201d: // ”
    case 0x201e: // „
      return '\u201d\u201c"';
    case 0x2018: // ‘
    case 0x2019: // ’
    case 0x201a: // ‚
      return "\u2019\u2018'";
    case 0x300c: // 「
      return "\u300d";
    case 0x300e: // 『
      return "\u300f";
    case 0xab: // «
      return "\u00bb";
    default:
      return "";
  }
}

export function isQuote(character: number): boolean {
  return closingQuotesOf(character) !== "";
}

/** Whether the character is a quote with which a model may close a string that began with `"`: `”`, `’` or `'`. */
export function isOtherQuote(character: number): boolean {
  return character === APOSTROPHE || character === 0x201d || character === 0x2019;
}

/** Returns the index after the white space here. */
export function pastSpace(text: string, start: number): number {
  let i = start;
  while (Char.isSpace(Char.characterAt(text, i))) i++;
  return i;
}

/** Returns the index where the white space before `end` begins. */
export function startOfSpace(text: string, start: number, end: number): number {
  let i = end;
  while (i > start && Char.isSpace(text.charCodeAt(i - 1))) i--;
  return i;
}

/** Returns the index where the spaces at the end begin. */
export function startOfSpaces(text: string): number {
  let i = text.length;
  while (i > 0 && text.charCodeAt(i - 1) === Char.SPACE) i--;
  return i;
}
