/** The UTF-16 code units that mean something in JSON (RFC 8259). */
export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const STAR = 0x2a;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const ZERO = 0x30;
const NINE = 0x39;
export const COLON = 0x3a;
export const UPPER_E = 0x45;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const LOWER_E = 0x65;
export const LOWER_F = 0x66;
export const LOWER_N = 0x6e;
export const LOWER_T = 0x74;
export const LOWER_U = 0x75;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** What the character after a backslash stands for; `\u` is not among them. */
export function escaped(character: number): string | undefined {
  switch (character) {
    case QUOTE:
      return '"';
    case BACKSLASH:
      return "\\";
    case SLASH:
      return "/";
    case 0x62:
      return "\b";
    case LOWER_F:
      return "\f";
    case LOWER_N:
      return "\n";
    case 0x72:
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

/** The first half of a surrogate pair with which a text ends, or nothing. */
export function highSurrogateAtEnd(text: string): string {
  const last = text.length - 1;
  return last >= 0 && (text.charCodeAt(last) & 0xfc00) === 0xd800 ? text.charAt(last) : "";
}

/**
 * The character at a place, -1 behind the end. Where V8 has once seen `charCodeAt()` look there, it calls a function for
 * each character.
 */
export function characterAt(text: string, i: number): number {
  return i < text.length ? text.charCodeAt(i) : -1;
}

/** White space between tokens (RFC 8259 section 2). */
export function isSpace(character: number): boolean {
  return character === SPACE || character === LINE_FEED || character === CARRIAGE_RETURN || character === TAB;
}

export function isHexDigit(character: number): boolean {
  const lower = character | 0x20;
  return isDigit(character) || (lower >= 0x61 && lower <= LOWER_F);
}
