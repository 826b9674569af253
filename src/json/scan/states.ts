/**
 * The states of the scanners, each with a sample of the input that leads there. Those inside a token come first: a chunk
 * that ends in one of them leaves a token behind.
 */
export const STRING = 0; // "ab
export const ESCAPE = 1; // "ab\
export const UNICODE = 2; // "ab\u00
export const NUMBER = 3; // 12
export const LITERAL = 4; // tru
// Only where text is repaired:
export const QUOTED = 5; // 'ab
export const QUOTE_SEEN = 6; // "ab"
export const BARE_VALUE = 7; // {a: hello wor
export const BARE_KEY = 8; // {nam
export const LAST_OF_TOKEN = 8;

export const VALUE = 9; // nothing yet, {"a":  or [1,
export const FIRST_ELEMENT = 10; // [
export const FIRST_KEY = 11; // {
export const KEY = 12; // {"a": 1,
export const AFTER_KEY = 13; // {"a"
export const AFTER_VALUE = 14; // [1
export const DONE = 15; // {}
export const PREDICTED_KEY = 20; // {"na, where the fast paths predict "name"
// Only where text is repaired:
export const COMMENT_SLASH = 16; // [1 /
export const LINE_COMMENT = 17; // [1 // one
export const BLOCK_COMMENT = 18; // [1 /* one
export const COMMENT_STAR = 19; // [1 /* one *
