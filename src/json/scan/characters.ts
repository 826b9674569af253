/** The UTF-16 code units that have a meaning in JSON (RFC 8259). */
export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const OPEN_PARENTHESIS = 0x28;
export const CLOSE_PARENTHESIS = 0x29;
export const STAR = 0x2a;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const ZERO = 0x30;
const NINE = 0x39;
export const COLON = 0x3a;
export const EQUALS = 0x3d;
export const GREATER = 0x3e;
export const UPPER_E = 0x45;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const LOWER_B = 0x62;
export const LOWER_E = 0x65;
export const LOWER_F = 0x66;
export const LOWER_N = 0x6e;
export const LOWER_R = 0x72;
export const LOWER_T = 0x74;
export const LOWER_U = 0x75;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** Returns the meaning of the character after a backslash. Does not include `\u`. */
export function escaped(character: number): string | undefined {
  switch (character) {
    case QUOTE:
      return '"';
    case BACKSLASH:
      return "\\";
    case SLASH:
      return "/";
    case LOWER_B:
      return "\b";
    case LOWER_F:
      return "\f";
    case LOWER_N:
      return "\n";
    case LOWER_R:
      return "\r";
    case LOWER_T:
      return "\t";
    default:
      return undefined;
  }
}

export function isDigit(character: number): boolean {
  return character >= ZERO && character <= NINE;
}

/** Returns the first half of a surrogate pair at the end of a text, or an empty string. */
export function highSurrogateAtEnd(text: string): string {
  const last = text.length - 1;
  return last >= 0 && (text.charCodeAt(last) & 0xfc00) === 0xd800 ? text.charAt(last) : "";
}

/**
 * Returns the character at a place, or -1 after the end. Once `charCodeAt()` has read past the end of a string, V8
 * calls a function for each character.
 */
export function characterAt(text: string, i: number): number {
  return i < text.length ? text.charCodeAt(i) : -1;
}

/** White space between tokens (RFC 8259 section 2). */
export function isSpace(character: number): boolean {
  return character === SPACE || character === LINE_FEED || character === CARRIAGE_RETURN || character === TAB;
}

/** An opening bracket of an object or array. */
export function opensContainer(character: number): boolean {
  return character === OPEN_BRACE || character === OPEN_BRACKET;
}

export function isHexDigit(character: number): boolean {
  const lower = character | 0x20;
  return isDigit(character) || (lower >= 0x61 && lower <= LOWER_F);
}

const restOfPlainText = /[^"\\\u0000-\u001f]*/y;

/** Returns the index of the next quote, backslash or control character, or the length of the text. */
export function endOfPlainText(text: string, start: number): number {
  const { length } = text;
  // Up to 16 characters a loop is as fast as a regular expression, which costs a call.
  const near = length - start > 16 ? start + 16 : length;
  for (let i = start; i < near; i++) {
    const character = text.charCodeAt(i);
    if (character === QUOTE || character === BACKSLASH || character < SPACE) return i;
  }
  if (near === length) return length;
  restOfPlainText.lastIndex = near;
  restOfPlainText.test(text);
  return restOfPlainText.lastIndex;
}
