/**
 * Reads a start tag of the plain kind, which most are: a name of ASCII, attributes in quotes, none of them twice, no
 * reference, and no character that needs a second look. Such a tag is well-formed wherever an element may stand, and means
 * what it says; every other is left to saxes.
 */
export class PlainTag {
  name = "";
  /** Names and values in turn. */
  attributes: string[] = [];
  /** `<a/>` */
  empty = false;

  /** @returns the place behind the tag, or `NOT_PLAIN`, or `CUT` if the text, up to `end`, is but the beginning of one */
  read(text: string, start: number, end: number): number {
    let i = nameEnd(text, start + 1, end);
    if (i < 0) return i;
    this.name = text.slice(start + 1, i);
    if (this.attributes.length > 0) this.attributes = [];
    for (;;) {
      const before = i;
      while (i < end && isSpace(text.charCodeAt(i))) i++;
      if (i === end) return CUT;
      const code = text.charCodeAt(i);
      if (code === GREATER || code === SLASH) return this.readEnd(text, i, end);
      if (i === before || this.attributes.length === 2 * mostAttributes) return NOT_PLAIN;
      i = this.readAttribute(text, i, end);
      if (i < 0) return i;
    }
  }

  private readEnd(text: string, i: number, end: number): number {
    this.empty = text.charCodeAt(i) === SLASH;
    if (!this.empty) return i + 1;
    if (i + 1 === end) return CUT;
    return text.charCodeAt(i + 1) === GREATER ? i + 2 : NOT_PLAIN;
  }

  private readAttribute(text: string, start: number, end: number): number {
    const equals = nameEnd(text, start, end);
    if (equals < 0) return equals;
    if (text.charCodeAt(equals) !== EQUALS) return NOT_PLAIN;
    if (equals + 1 === end) return CUT;
    const quote = text.charCodeAt(equals + 1);
    if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) return NOT_PLAIN;
    let i = equals + 2;
    while (i < end && text.charCodeAt(i) !== quote) {
      if (!isPlainInValue(text.charCodeAt(i))) return NOT_PLAIN;
      i++;
    }
    if (i === end) return CUT;
    const name = text.slice(start, equals);
    for (let k = 0; k < this.attributes.length; k += 2) if (this.attributes[k] === name) return NOT_PLAIN;
    this.attributes.push(name, text.slice(equals + 2, i));
    return i + 1;
  }
}

export const NOT_PLAIN = -1;
export const CUT = -2;

/** Whether one came before is looked up among all. */
const mostAttributes = 16;

/** @returns the place behind the name that begins here, which something follows */
function nameEnd(text: string, start: number, end: number): number {
  if (start === end) return CUT;
  if (!isNameStart(text.charCodeAt(start))) return NOT_PLAIN;
  let i = start + 1;
  while (i < end && isInName(text.charCodeAt(i))) i++;
  return i < end ? i : CUT;
}

function isNameStart(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= LOWER_A && lower <= LOWER_Z) || code === UNDERSCORE || code === COLON;
}

function isInName(code: number): boolean {
  return isNameStart(code) || (code >= ZERO && code <= NINE) || code === MINUS || code === DOT;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0xa || code === 0x9;
}

/** Not those that XML 1.1 has other rules for, nor half a character. */
function isPlainInValue(code: number): boolean {
  if (code < 0x7f) return code >= 0x20 && code !== AMPERSAND && code !== LESS;
  return code >= 0xa0 && code < 0xd800 && code !== 0x2028;
}

const DOUBLE_QUOTE = 0x22;
const AMPERSAND = 0x26;
const SINGLE_QUOTE = 0x27;
const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const UNDERSCORE = 0x5f;
const LOWER_A = 0x61;
const LOWER_Z = 0x7a;
