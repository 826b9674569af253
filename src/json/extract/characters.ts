import { CLOSE_BRACKET, CLOSE_PARENTHESIS, OPEN_BRACKET, QUOTE, SPACE } from "../scan/characters.js";

/** The UTF-16 code units that have a meaning in the text around JSON, or in JSON that needs repair. */
export const APOSTROPHE = 0x27;
export const LESS = 0x3c;
export const BACKTICK = 0x60;
export const TILDE = 0x7e;

/** Whether the character is white space of Unicode, a control character, or has no width, such as a byte order mark. */
export function isBlank(character: number): boolean {
  if (character < 0x80) return character <= SPACE;
  return (
    character === 0x85 ||
    character === 0xa0 ||
    character === 0xfeff ||
    character === 0x1680 ||
    character === 0x180e ||
    character === 0x3000 ||
    (character >= 0x2000 && character <= 0x200f) ||
    (character >= 0x2028 && character <= 0x202f) ||
    (character >= 0x205f && character <= 0x2064)
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

/** Whether an unquoted key may contain the character: letters of any script, digits, `_`, `$` and `-`. */
export function isKeyCharacter(character: number): boolean {
  if (character < 0x80) return isWordCharacter(character) || character === 0x2d;
  const isPunctuation =
    (character >= 0x2000 && character <= 0x206f) || (character >= 0x3000 && character <= 0x303f);
  return character >= 0xaa && !isPunctuation && !isBlank(character);
}

/** Whether a bracket directly after this character is an index, or belongs to the bracket before it: `row["id"]`. */
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

/** Whether the character is a quote that models use instead of double quotes. */
export function isLenientQuote(character: number): boolean {
  return (
    character === APOSTROPHE || character === BACKTICK || isSmartDouble(character) || isSmartSingle(character)
  );
}

/** Whether `character` ends a string that began with `opening`. Any smart quote of the same kind ends a smart quote. */
export function closesQuote(opening: number, character: number): boolean {
  if (character === opening) return true;
  if (isSmartDouble(opening)) return isSmartDouble(character) || character === QUOTE;
  return isSmartSingle(opening) && (isSmartSingle(character) || character === APOSTROPHE);
}

/** U+201C to U+201E: the high quotes, and the low one that opens a quotation in German. */
function isSmartDouble(character: number): boolean {
  return character >= 0x201c && character <= 0x201e;
}

/** U+2018 to U+201A. */
function isSmartSingle(character: number): boolean {
  return character >= 0x2018 && character <= 0x201a;
}
