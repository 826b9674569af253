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

/** May an unquoted key contain the character: letters of any script, digits, `_`, `$` and `-`? */
export function isKeyCharacter(character: number): boolean {
  if (character < 0x80) return isWordCharacter(character) || character === 0x2d;
  const isPunctuation =
    (character >= 0x2000 && character <= 0x206f) || (character >= 0x3000 && character <= 0x303f);
  return character >= 0xaa && !isPunctuation && !isBlank(character) && !isForeignSeparator(character);
}

/** A comma or semicolon of Chinese, Japanese or Arabic. */
export function isForeignComma(character: number): boolean {
  return character >= 0x80 && "，、；،؛".includes(String.fromCharCode(character));
}

/** A wide colon or equals sign. */
export function isForeignColon(character: number): boolean {
  return character === 0xff1a || character === 0xff1d;
}

function isForeignSeparator(character: number): boolean {
  return isForeignColon(character) || isForeignComma(character);
}
