import type { JsonExcerpt } from "./errors.js";

const charactersBefore = 60;
const charactersAfter = 20;

/**
 * Cuts the line around a place out of the text that is still at hand.
 *
 * @param text the last chunks
 * @param index the place in `text`; its length for the end of the text
 * @param lineStart where the line begins, relative to `text`: negative if that part is gone
 */
export function excerptOf(text: string, index: number, lineStart: number): JsonExcerpt {
  const start = Math.max(lineStart, index - charactersBefore, 0);
  const lineEnd = text.indexOf("\n", index);
  const end = Math.min(lineEnd < 0 ? text.length : lineEnd, index + charactersAfter);
  return { text: text.slice(start, end), index: index - start, cut: start > lineStart };
}
