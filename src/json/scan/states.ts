/** The states of the scanners, each with a sample of the input that leads there. */

// Inside a token. When a chunk ends in one of these states, the scanner keeps a part of a token.
export const STRING = 0; // "ab
export const ESCAPE = 1; // "ab\
export const UNICODE = 2; // "ab\u00
export const NUMBER = 3; // 12
export const LITERAL = 4; // tru
// Inside a key that so far is the one that the short cuts guess.
export const GUESSED_KEY = 5; // {"na

// Between tokens.
export const VALUE = 6; // at the start, {"a":  or [1,
export const FIRST_ELEMENT = 7; // [
export const FIRST_KEY = 8; // {
export const KEY = 9; // {"a": 1,
export const AFTER_KEY = 10; // {"a"
export const AFTER_VALUE = 11; // [1
export const DONE = 12; // {}

/** Is the scanner in one of some states? */
export type IsIn = (state: number) => boolean;

/** Does the scanner keep a part of a token? */
export const isInToken: IsIn = inStates(STRING, ESCAPE, UNICODE, NUMBER, LITERAL);
/** Does the text so far end inside quotes? */
export const isInString: IsIn = inStates(STRING, ESCAPE, UNICODE, GUESSED_KEY);
/** Is an error about the next value, rather than the container around it? */
export const isInValue: IsIn = inStates(STRING, ESCAPE, UNICODE, NUMBER, LITERAL, VALUE);

export function inStates(...states: readonly number[]): IsIn {
  const set = states.reduce((bits, state) => bits | (1 << state), 0);
  return (state) => (set & (1 << state)) !== 0;
}
