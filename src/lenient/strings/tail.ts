import { BACKTICK } from "../../text/around/characters.js";
import {
  CARRIAGE_RETURN,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PARENTHESIS,
  COMMA,
  isSpace,
  LINE_FEED,
  SPACE,
  TAB,
} from "../../json/scan/characters.js";
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
  const first = Math.max(start, end - longest);
  let tail = end;
  let sawComma = false;
  for (let i = end; i > first;) {
    const character = text.charCodeAt(--i);
    switch (character) {
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
      case CLOSE_PARENTHESIS:
      case LINE_FEED:
        if (!sawComma) tail = i;
        break;
      case COMMA:
        if (sawComma) return tail;
        sawComma = true;
        tail = i;
        break;
      case SPACE:
      case TAB:
      case CARRIAGE_RETURN:
      case BACKTICK:
        break;
      default:
        return isOtherQuote(character) ? i : tail;
    }
  }
  return tail;
}
