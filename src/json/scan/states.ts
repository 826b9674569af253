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
const inToken = setOf(STRING, ESCAPE, UNICODE, NUMBER, LITERAL);
const inString = setOf(STRING, ESCAPE, UNICODE, GUESSED_KEY);
const inValue = inToken | setOf(VALUE);

/** Whether the scanner keeps a part of a token in this state. */
export function isInToken(state: number): boolean {
  return (inToken & (1 << state)) !== 0;
}

/** Whether the text so far ends inside quotes. */
export function isInString(state: number): boolean {
  return (inString & (1 << state)) !== 0;
}

/** Whether an error in this state is about the next value, rather than the container around it. */
export function isInValue(state: number): boolean {
  return (inValue & (1 << state)) !== 0;
}

/** A set of states, with a bit for each. */
function setOf(...states: readonly number[]): number {
  return states.reduce((set, state) => set | (1 << state), 0);
}
