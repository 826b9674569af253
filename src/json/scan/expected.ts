import * as State from "./states.js";

/** What is expected in each state of `states.ts`, in words. Where a number ends, its scanner decides. */
const expectations: readonly string[] = [
  "the end of the string", // STRING
  'one of " \\ / b f n r t u after the backslash', // ESCAPE
  "four hexadecimal digits after \\u", // UNICODE
  "the end of the string", // GUESSED_KEY
  "a value", // NUMBER
  "a value", // LITERAL
  "a value", // VALUE
  'a value or "]"', // FIRST_ELEMENT
  'a key in double quotes or "}"', // FIRST_KEY
  "a key in double quotes", // KEY
  '":"', // AFTER_KEY
  '"," or ', // State.AFTER_VALUE
  "nothing after the document", // DONE
];

export function describeExpected(state: number, inArray: boolean): string {
  const words = expectations[state] ?? "a value";
  return state === State.AFTER_VALUE ? words + (inArray ? '"]"' : '"}"') : words;
}

/** Returns the message for a control character inside a string (RFC 8259 section 7). */
export function describeUnescaped(character: number): string {
  const code = character.toString(16).toUpperCase().padStart(4, "0");
  return `A control character (U+${code}) must be escaped inside a string`;
}

export function describeUnexpected(expected: string, found: string | undefined): string {
  return `Expected ${expected}, but found ${JSON.stringify(found)}`;
}
