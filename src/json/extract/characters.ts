import { CLOSE_BRACKET, OPEN_BRACKET, QUOTE, SPACE } from "../scan/characters.js";

/** The UTF-16 code units that mean something in the text around JSON, or in JSON that is written leniently. */
export const APOSTROPHE = 0x27;
export const OPEN_PARENTHESIS = 0x28;
const CLOSE_PARENTHESIS = 0x29;
export const LESS = 0x3c;
export const GREATER = 0x3e;
export const BACKTICK = 0x60;
export const TILDE = 0x7e;

/** What leaves a line blank: also the spaces of typography, and what has no width (U+200B to U+200D, U+FEFF). */
export function isBlank(character: number): boolean {
  if (character < 0x80) return character <= SPACE;
  return (
    character === 0xa0 ||
    character === 0xfeff ||
    character === 0x3000 ||
    (character >= 0x2000 && character <= 0x200d) ||
    character === 0x202f
  );
}

/** Letters and digits of ASCII, `_` and `$`. */
export function isWordCharacter(character: number): boolean {
  const lower = character | 0x20;
  return (
    (lower >= 0x61 && lower <= 0x7a) ||
    (character >= 0x30 && character <= 0x39) ||
    character === 0x5f ||
    character === 0x24
  );
}

/** What an unquoted key may have: a word in any script, `-` included. */
export function isKeyCharacter(character: number): boolean {
  if (character < 0x80) return isWordCharacter(character) || character === 0x2d;
  const isPunctuation =
    (character >= 0x2000 && character <= 0x206f) || (character >= 0x3000 && character <= 0x303f);
  return character >= 0xaa && !isPunctuation && !isBlank(character);
}

/** After such a character a bracket, without a space, is an index or belongs to the bracket before: `row["id"]`. */
export function makesIndex(previous: number): boolean {
  return (
    isWordCharacter(previous) ||
    previous === CLOSE_PARENTHESIS ||
    previous === CLOSE_BRACKET ||
    previous === OPEN_BRACKET ||
    previous === QUOTE ||
    previous === APOSTROPHE
  );
}

/** Quotes that models use where JSON wants double ones. */
export function isLenientQuote(character: number): boolean {
  return (
    character === APOSTROPHE || character === BACKTICK || isSmartDouble(character) || isSmartSingle(character)
  );
}

/** Whether a string that `opening` began ends with `character`: a smart quote ends with any one of its kind. */
export function closesQuote(opening: number, character: number): boolean {
  if (character === opening) return true;
  if (isSmartDouble(opening)) return isSmartDouble(character) || character === QUOTE;
  return isSmartSingle(opening) && (isSmartSingle(character) || character === APOSTROPHE);
}

/** U+201C to U+201E: the high ones, and the low one that opens in German. */
function isSmartDouble(character: number): boolean {
  return character >= 0x201c && character <= 0x201e;
}

/** U+2018 to U+201A. */
function isSmartSingle(character: number): boolean {
  return character >= 0x2018 && character <= 0x201a;
}
