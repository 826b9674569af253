/** The UTF-16 code units that have a meaning in the text around a document, or in JSON that needs repair. */
export const APOSTROPHE = 0x27;
export const LESS = 0x3c;
export const BACKTICK = 0x60;
export const TILDE = 0x7e;

/** Is the character white space of Unicode, a control character, or without width, such as a byte order mark? */
export function isBlank(character: number): boolean {
  if (character < 0x80) return character <= 0x20;
  return (
    character === 0x85 ||
    character === 0xa0 ||
    character === 0x1680 ||
    character === 0x180e ||
    character === 0x3000 ||
    (character >= 0x2000 && character <= 0x200a) ||
    (character >= 0x2028 && character <= 0x2029) ||
    character === 0x202f ||
    character === 0x205f ||
    isMark(character)
  );
}

/** A character without width: a byte order mark, or a mark for the direction of the text. */
export function isMark(character: number): boolean {
  return (
    character === 0xfeff ||
    character === 0x061c ||
    (character >= 0x200b && character <= 0x200f) ||
    (character >= 0x202a && character <= 0x202e) ||
    (character >= 0x2060 && character <= 0x2069)
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

/** May an unquoted key contain the character: letters of any script, digits, `_`, `$` and `-`? */
export function isKeyCharacter(character: number): boolean {
  if (character < 0x80) return isWordCharacter(character) || character === 0x2d;
  const isPunctuation =
    (character >= 0x2000 && character <= 0x206f) || (character >= 0x3000 && character <= 0x303f);
  return character >= 0xaa && !isPunctuation && !isBlank(character) && !isForeignSeparator(character);
}

/** A comma of Chinese, Japanese or Arabic. */
export function isForeignComma(character: number): boolean {
  return character === 0xff0c || character === 0x3001 || character === 0x060c;
}

export function isForeignSemicolon(character: number): boolean {
  return character === 0xff1b || character === 0x061b;
}

/** A wide colon or equals sign. */
export function isForeignColon(character: number): boolean {
  return character === 0xff1a || character === 0xff1d;
}

function isForeignSeparator(character: number): boolean {
  const isComma = isForeignComma(character) || isForeignSemicolon(character);
  return isComma || isForeignColon(character) || isWideSign(character);
}

/** `｛`, `｜`, `｝`, `［` or `］` */
function isWideSign(character: number): boolean {
  return (character >= 0xff5b && character <= 0xff5d) || character === 0xff3b || character === 0xff3d;
}
