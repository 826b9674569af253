import { ESCAPE, type IsIn, LITERAL, NUMBER, inStates, STRING, UNICODE, VALUE } from "../json/scan/states.js";

// The states that the strict scanner does not have, each with a sample of the input that leads there.
export const BARE_VALUE = 13; // {a: hello wor
export const BARE_KEY = 14; // {nam
export const COMMENT = 15; // [1 /* one
export const ROOT_CLOSER = 16; // {"a": 1}
export const ROOT_LIST = 17; // {"a": 1},  where a schema expects a list

/** Does the scanner keep a part of a token? */
export const isInAnyToken: IsIn = inStates(STRING, ESCAPE, UNICODE, NUMBER, LITERAL, BARE_VALUE, BARE_KEY);
/** Is an error about the next value, rather than the container around it? */
export const isInAnyValue: IsIn = inStates(
  ...[STRING, ESCAPE, UNICODE, NUMBER, LITERAL, BARE_VALUE, BARE_KEY, VALUE],
);
