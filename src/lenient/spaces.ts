import { characterAt, isSpace, SPACE } from "../json/scan/characters.js";

/** Returns the index after the white space here. */
export function pastSpace(text: string, start: number): number {
  let i = start;
  while (isSpace(characterAt(text, i))) i++;
  return i;
}

/** Returns the index where the white space before `end` begins. */
export function startOfSpace(text: string, start: number, end: number): number {
  let i = end;
  while (i > start && isSpace(text.charCodeAt(i - 1))) i--;
  return i;
}

/** Returns the index where the spaces at the end begin. */
export function startOfSpaces(text: string): number {
  let i = text.length;
  while (i > 0 && text.charCodeAt(i - 1) === SPACE) i--;
  return i;
}
