import { CLOSE_BRACKET, isSpace, LINE_FEED, SLASH, STAR } from "../scan/characters.js";

// The states, each with a sample of the text that leads there.
export const KEY = 0; // {  or [{
export const ELEMENT = 1; // [  or [[
export const STRING = 2; // {"na  or ["te
export const ESCAPE = 3; // {"na\
export const UNQUOTED_KEY = 4; // {na
export const AFTER_KEY = 5; // {"name"
export const TOKEN = 6; // [12  or [tru
export const AFTER_ELEMENT = 7; // [12 |  or [[]
export const AFTER_STRING = 8; // ["text"
export const AFTER_ONE_STRING = 9; // ["text"]  followed by "(" it is a link
export const AFTER_EMPTY_OBJECT = 10; // [{}
export const COMPLETE = 11; // {}  or [1]
export const CLOSING_FENCE = 12; // {}`
export const CLOSING_TAG = 13; // {}<
export const AFTER_SLASH = 14; // {/
const AFTER_SLASHES = 15; // {//  followed by "]" it is a Markdown comment, [//]: #
export const AFTER_HASH = 16; // {#  only followed by a space it is a comment, unlike {#if}
const LINE_COMMENT = 17; // {// te
const BLOCK_COMMENT = 18; // {/* te
const AFTER_STAR = 19; // {/* text *
export const ESCAPED_KEY = 20; // {\  as in {\"a\": 1}
export const ESCAPED_ELEMENT = 21; // [\
export const BEFORE_VALUE = 22; // "name":  without a bracket before it

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
