/** The states of the lenient scanner: those of JSON, and five more, each with a sample of the input that leads there. */

import {
  AFTER_KEY,
  AFTER_VALUE,
  DONE,
  ESCAPE,
  FIRST_ELEMENT,
  FIRST_KEY,
  KEY,
  LITERAL,
  NUMBER,
  GUESSED_KEY,
  STRING,
  UNICODE,
  VALUE,
} from "../json/scan/states.js";

export {
  AFTER_KEY,
  AFTER_VALUE,
  DONE,
  ESCAPE,
  FIRST_ELEMENT,
  FIRST_KEY,
  KEY,
  LITERAL,
  NUMBER,
  GUESSED_KEY,
  STRING,
  UNICODE,
  VALUE,
};

export const BARE_VALUE = 13; // {a: hello wor
export const BARE_KEY = 14; // {nam
export const COMMENT = 15; // [1 /* one
export const ROOT_CLOSER = 16; // {"a": 1}

const inString = setOf(STRING, ESCAPE, UNICODE, GUESSED_KEY);
const inToken = setOf(STRING, ESCAPE, UNICODE, NUMBER, LITERAL, BARE_VALUE, BARE_KEY);
const inValue = inToken | setOf(VALUE);

/** Does the text so far end inside quotes? */
export function isInString(state: number): boolean {
  return (inString & (1 << state)) !== 0;
}

/** Does the scanner keep a part of a token? The short cuts keep a predicted key themselves. */
export function isInToken(state: number): boolean {
  return (inToken & (1 << state)) !== 0;
}

/** Is an error about the next value, rather than the container around it? */
export function isInValue(state: number): boolean {
  return (inValue & (1 << state)) !== 0;
}

/** A set of states, with a bit for each. */
function setOf(...states: readonly number[]): number {
  return states.reduce((set, state) => set | (1 << state), 0);
}
