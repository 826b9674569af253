import { BACKTICK } from "../../text/around/characters.js";
import * as Char from "../../json/scan/characters.js";
import { isCloser, isOtherQuote } from "../characters.js";

/** May the character be in the tail of a string: the text after the end of one without its closing quote? */
export function mayBeTail(character: number): boolean {
  return (
    character === Char.COMMA ||
    Char.isSpace(character) ||
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
      case Char.CLOSE_BRACE:
      case Char.CLOSE_BRACKET:
      case Char.CLOSE_PARENTHESIS:
      case Char.LINE_FEED:
        if (!sawComma) tail = i;
        break;
      case Char.COMMA:
        if (sawComma) return tail;
        sawComma = true;
        tail = i;
        break;
      case Char.SPACE:
      case Char.TAB:
      case Char.CARRIAGE_RETURN:
      case BACKTICK:
        break;
      default:
        return isOtherQuote(character) ? i : tail;
    }
  }
  return tail;
}
