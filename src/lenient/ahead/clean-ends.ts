import * as Char from "../../json/scan/characters.js";
import type { Answer } from "./window.js";

/** So far the text after a token continues as JSON, and more text decides. With `OPEN_COMMA` it has a comma. */
const OPEN = 0;
export const OPEN_COMMA = 1;
/** The token ends. */
export const ENDS = 2;
/** The text ahead decides (`endsValue()`, `endsKey()`). */
export const UNCLEAR = 3;

/**
 * A short cut for what follows nearly all strings. The look-ahead has the same answer there. White space may come before
 * each of these characters.
 *
 * | the string is | it ends before                                   |
 * | ------------- | ------------------------------------------------ |
 * | a key         | `:`                                              |
 * | in an object  | `}`, or `,` with `"` after it                    |
 * | in an array   | `]`, or `,` with `"`, `{`, `[`, `-` or a digit after it |
 */
export function cleanEnd(
  text: string,
  start: number,
  isKey: boolean,
  inArray: boolean,
  sawComma: boolean,
): number {
  let comma = sawComma;
  for (let i = start; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (Char.isSpace(character)) continue;
    if (isKey) return character === Char.COLON ? ENDS : UNCLEAR;
    if (comma) {
      return character === Char.QUOTE || (inArray && beginsElement(character)) ? ENDS : UNCLEAR;
    }
    if (character !== Char.COMMA)
      return character === (inArray ? Char.CLOSE_BRACKET : Char.CLOSE_BRACE) ? ENDS : UNCLEAR;
    comma = true;
  }
  return comma ? OPEN_COMMA : OPEN;
}

function beginsElement(character: number): boolean {
  return Char.opensContainer(character) || character === Char.MINUS || Char.isDigit(character);
}

/** The same as a pattern, for the value of a member that is all in one chunk. */
export const afterMember = '(?=[ \\t\\r\\n]*(?:\\}|,[ \\t\\r\\n]*"))';

/**
 * Does a number or literal certainly end before this place? In an object a comma may be part of it: `1,234`. There the
 * next character decides, so `undefined` if that is not known yet.
 */
export function cleanScalarEnd(text: string, i: number, inObject: boolean): Answer {
  const character = text.charCodeAt(i);
  if (character !== Char.COMMA)
    return character === Char.CLOSE_BRACE || character === Char.CLOSE_BRACKET || character === Char.LINE_FEED;
  if (!inObject) return true;
  return i + 1 < text.length ? !Char.isDigit(text.charCodeAt(i + 1)) : undefined;
}
