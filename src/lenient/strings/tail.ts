import { BACKTICK } from "../../text/around/characters.js";
import { COMMA, isSpace, LINE_FEED } from "../../json/scan/characters.js";
import { isCloser, isOtherQuote } from "../characters.js";

/** May the character be in the tail of a string: the text after the end of one without its closing quote? */
export function mayBeTail(character: number): boolean {
  return (
    character === COMMA ||
    isSpace(character) ||
    isCloser(character) ||
    character === BACKTICK ||
    isOtherQuote(character)
  );
}

/**
 * Returns where the tail begins: a comma, closing brackets, white space with a line feed, and before them a quote of
 * another kind. In `b”},` before the end it begins at the quote. Returns `end` without a tail.
 *
 * @param longest the largest number of characters it may have
 */
export function startOfTail(text: string, start: number, end: number, longest: number): number {
  let tail = end;
  let sawComma = false;
  for (let i = end; i > start && end - i < longest;) {
    const character = text.charCodeAt(--i);
    if (isOtherQuote(character)) return i;
    if (character === COMMA && !sawComma) sawComma = true;
    else if (isCloser(character) || character === LINE_FEED) {
      if (sawComma) continue;
    } else if (isSpace(character) || character === BACKTICK) continue;
    else break;
    tail = i;
  }
  return tail;
}
