import { CLOSE_BRACKET, isSpace, LINE_FEED, SLASH, STAR } from "../scan/characters.js";
import * as At from "./candidate-states.js";

export const COMMENT_ENDS = 99;
const NO_COMMENT = -1;

/** Returns the state after a character of a comment, COMMENT_ENDS, or a negative number if the text is no comment. */
export function afterInComment(state: number, character: number): number {
  switch (state) {
    case At.AFTER_SLASH:
      if (character === STAR) return At.BLOCK_COMMENT;
      return character === SLASH ? At.AFTER_SLASHES : NO_COMMENT;
    case At.AFTER_SLASHES:
      if (character === CLOSE_BRACKET) return NO_COMMENT;
      break;
    case At.AFTER_HASH:
      if (!isSpace(character)) return NO_COMMENT;
      break;
    case At.BLOCK_COMMENT:
      return character === STAR ? At.AFTER_STAR : At.BLOCK_COMMENT;
    case At.AFTER_STAR:
      if (character === SLASH) return COMMENT_ENDS;
      return character === STAR ? At.AFTER_STAR : At.BLOCK_COMMENT;
  }
  return character === LINE_FEED ? COMMENT_ENDS : At.LINE_COMMENT;
}
