import * as State from "../json/scan/states.js";

// The states that the strict scanner does not have, each with a sample of the input that leads there.
export const BARE_VALUE = 13; // {a: hello wor
export const BARE_KEY = 14; // {nam
export const COMMENT = 15; // [1 /* one
export const ROOT_CLOSER = 16; // {"a": 1}
export const ROOT_LIST = 17; // {"a": 1},  where a schema expects a list

/** Does the scanner keep a part of a token? */
export function isInAnyToken(state: number): boolean {
  return (
    (State.isInToken(state) && state !== State.GUESSED_KEY) || state === BARE_VALUE || state === BARE_KEY
  );
}

/** Is an error about the next value, rather than the container around it? Inside a key it is not. */
export function isInAnyValue(state: number): boolean {
  return isInAnyToken(state) || state === State.VALUE;
}
