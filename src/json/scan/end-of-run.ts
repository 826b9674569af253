import { BACKSLASH, QUOTE, SPACE } from "./characters.js";

/** Up to here a loop is as fast as a regular expression, which costs a call. */
const short = 16;
const rest = /[^"\\\u0000-\u001f]*/y;

/** Where characters stop standing for themselves: at a quote, a backslash, a control character or the chunk's end. */
export function endOfRun(text: string, start: number): number {
  const { length } = text;
  const near = length - start > short ? start + short : length;
  for (let i = start; i < near; i++) {
    const character = text.charCodeAt(i);
    if (character === QUOTE || character === BACKSLASH || character < SPACE) return i;
  }
  if (near === length) return length;
  rest.lastIndex = near;
  rest.test(text);
  return rest.lastIndex;
}
