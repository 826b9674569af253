/** The states of the scanners, each with a sample of the input that leads there. */

// Inside a token. When a chunk ends in one of these states, the scanner keeps a part of a token.
export const STRING = 0; // "ab
export const ESCAPE = 1; // "ab\
export const UNICODE = 2; // "ab\u00
export const NUMBER = 3; // 12
export const LITERAL = 4; // tru
// Inside a token, with repair only.
export const QUOTED = 5; // 'ab
export const END_SEEN = 6; // "ab" and {"a": 12,
export const BARE_VALUE = 7; // {a: hello wor
export const BARE_KEY = 8; // {nam
// Inside a key that so far is the one that the short cuts guess.
export const GUESSED_KEY = 9; // {"na

// Between tokens.
export const VALUE = 10; // at the start, {"a":  or [1,
export const FIRST_ELEMENT = 11; // [
export const FIRST_KEY = 12; // {
export const KEY = 13; // {"a": 1,
export const AFTER_KEY = 14; // {"a"
export const AFTER_VALUE = 15; // [1
export const DONE = 16; // {}
// With repair only.
export const COMMENT = 17; // [1 /* one
export const ROOT_CLOSER = 18; // {"a": 1}

/** The states in which the next chunk may decide whether a token ends. */
export type WaitingState =
  | typeof STRING
  | typeof QUOTED
  | typeof GUESSED_KEY
  | typeof NUMBER
  | typeof LITERAL
  | typeof KEY
  | typeof VALUE;

const inToken = setOf(STRING, ESCAPE, UNICODE, NUMBER, LITERAL, QUOTED, BARE_VALUE, BARE_KEY);
const inString = setOf(STRING, ESCAPE, UNICODE, QUOTED, GUESSED_KEY);
const inValue = inToken | setOf(END_SEEN, VALUE);

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
