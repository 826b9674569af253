import { APOSTROPHE } from "../json/extract/characters.js";

/** Returns the quotes that close a string that began with this character; an empty string if it is not a quote. */
export function closingQuotes(character: string): string {
  switch (character) {
    case '"':
    case "'":
      return character;
    case "`":
      return "`\u00b4"; // ` and ´
    case "\u201c": // “
    case "\u201d": // ”
    case "\u201e": // „
      return '\u201d\u201c"';
    case "\u2018": // ‘
    case "\u2019": // ’
    case "\u201a": // ‚
      return "\u2019\u2018'";
    default:
      return "";
  }
}

/** Whether the character is a quote with which a model may close a string that began with `"`: `”`, `’` or `'`. */
export function isOtherQuote(character: number): boolean {
  return character === APOSTROPHE || character === 0x201d || character === 0x2019;
}
