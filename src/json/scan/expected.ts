import {
  AFTER_KEY,
  AFTER_VALUE,
  DONE,
  ESCAPE,
  FIRST_ELEMENT,
  FIRST_KEY,
  KEY,
  GUESSED_KEY,
  STRING,
  UNICODE,
} from "./states.js";

/** Returns what is expected in a state, in words. */
export function describeExpected(state: number, inArray: boolean): string {
  switch (state) {
    case FIRST_ELEMENT:
      return 'a value or "]"';
    case FIRST_KEY:
      return 'a key in double quotes or "}"';
    case KEY:
      return "a key in double quotes";
    case AFTER_KEY:
      return '":"';
    case AFTER_VALUE:
      return inArray ? '"," or "]"' : '"," or "}"';
    case STRING:
    case GUESSED_KEY:
      return "the end of the string";
    case ESCAPE:
      return 'one of " \\ / b f n r t u after the backslash';
    case UNICODE:
      return "four hexadecimal digits after \\u";
    case DONE:
      return "nothing after the document";
    default:
      return "a value";
  }
}

/** Returns the message for a control character inside a string (RFC 8259 section 7). */
export function describeUnescaped(character: number): string {
  const code = character.toString(16).toUpperCase().padStart(4, "0");
  return `A control character (U+${code}) must be escaped inside a string`;
}

export function describeUnexpected(expected: string, found: string | undefined): string {
  return `Expected ${expected}, but found ${JSON.stringify(found)}`;
}
