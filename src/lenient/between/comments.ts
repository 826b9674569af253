/** Skips comments. In `[1 // one` and a line feed, the state is COMMENT from the slashes to the end of the line. */

import { newLines } from "../../json/scan/move-position.js";
import type { OpenDocument } from "../document.js";
import { COMMENT } from "../states.js";
import type { LenientString } from "../strings/open-string.js";
import { closerInComment } from "../ahead/tokens.js";

/** Begins the comment whose mark is between these places of the window. */
export function beginComment({ document }: LenientString, i: number, afterMark: number): number {
  const { ahead, cursor } = document;
  const end = ends.get(ahead.text.slice(i, afterMark)) ?? "\n";
  const closer = end === "\n" ? closerInComment(ahead, i, document.nesting.depth) : false;
  if (closer === undefined) return cursor.hold(i);
  document.report("comment", i);
  if (closer !== false) return closer;
  document.comment = { end, after: document.state };
  document.state = COMMENT;
  return afterMark;
}

export function continueComment(document: OpenDocument, text: string, start: number): number {
  const { cursor } = document;
  const { end } = document.comment;
  const close = end === "\n" ? endOfLine(text, start) : text.indexOf(end, start);
  if (close >= 0) {
    finishComment(document);
    newLines(cursor.position, text, start, close + end.length);
    return close + end.length;
  }
  // The end may be cut.
  const kept = cursor.ended ? text.length : Math.max(start, text.length - end.length + 1);
  newLines(cursor.position, text, start, kept);
  return kept === text.length ? kept : cursor.hold(kept);
}

/** The comment ends, or the text in it. */
export function finishComment(document: OpenDocument): void {
  if (document.state === COMMENT) document.state = document.comment.after;
}

/** Other comments end with their line. */
const ends: ReadonlyMap<string, string> = new Map([
  ["/*", "*/"],
  ["<!--", "-->"],
]);

/** Returns the index of the next line break; -1 without one. */
function endOfLine(text: string, start: number): number {
  const length = text.slice(start).search(/[\r\n]/);
  return length < 0 ? -1 : start + length;
}
