/** The states of the scanners, each with a sample of the input that leads there. */

// Inside quotes.
export const STRING = 0; // "ab
export const ESCAPE = 1; // "ab\
export const UNICODE = 2; // "ab\u00
// Inside a key that so far is the one that the short cuts guess.
export const GUESSED_KEY = 3; // {"na

// Inside another token.
export const NUMBER = 4; // 12
export const LITERAL = 5; // tru

// Between tokens.
export const VALUE = 6; // at the start, {"a":  or [1,
export const FIRST_ELEMENT = 7; // [
export const FIRST_KEY = 8; // {
export const KEY = 9; // {"a": 1,
export const AFTER_KEY = 10; // {"a"
export const AFTER_VALUE = 11; // [1
export const DONE = 12; // {}

// The states inside a number (RFC 8259 section 6), which have numbers of their own. Here a digit must follow.
export const SIGN = 0; // -
export const EXPONENT = 1; // 12.5e
export const EXPONENT_SIGN = 2; // 12.5e-
export const POINT = 3; // 12.
// Here the number may end.
export const LEADING_ZERO = 4; // 0
export const INTEGER = 5; // 12
export const FRACTION = 6; // 12.5
export const EXPONENT_DIGITS = 7; // 12.5e-3

/** Does the text so far end inside quotes? */
export function isInString(state: number): boolean {
  return state <= GUESSED_KEY;
}

/** Does the text so far end inside a token? The scanner then keeps a part of it. */
export function isInToken(state: number): boolean {
  return state <= LITERAL;
}

/** Is an error about the next value, rather than the container around it? Inside a key it is not. */
export function isInValue(state: number): boolean {
  return state <= VALUE;
}
