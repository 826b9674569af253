import { CLOSE_BRACKET, isSpace, LINE_FEED, SLASH, STAR } from "../scan/characters.js";
import {
  AFTER_HASH,
  AFTER_SLASH,
  AFTER_SLASHES,
  AFTER_STAR,
  BLOCK_COMMENT,
  LINE_COMMENT,
} from "./candidate-states.js";

export const COMMENT_ENDS = 99;
const NO_COMMENT = -1;

/** Returns the state after a character of a comment, COMMENT_ENDS, or a negative number if the text is no comment. */
export function afterInComment(state: number, character: number): number {
  switch (state) {
    case AFTER_SLASH:
      if (character === STAR) return BLOCK_COMMENT;
      return character === SLASH ? AFTER_SLASHES : NO_COMMENT;
    case AFTER_SLASHES:
      if (character === CLOSE_BRACKET) return NO_COMMENT;
      break;
    case AFTER_HASH:
      if (!isSpace(character)) return NO_COMMENT;
      break;
    case BLOCK_COMMENT:
      return character === STAR ? AFTER_STAR : BLOCK_COMMENT;
    case AFTER_STAR:
      if (character === SLASH) return COMMENT_ENDS;
      return character === STAR ? AFTER_STAR : BLOCK_COMMENT;
  }
  return character === LINE_FEED ? COMMENT_ENDS : LINE_COMMENT;
}
