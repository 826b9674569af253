import { CLOSE_BRACE } from "../../json/scan/characters.js";
import { endsValue } from "../ahead/value-ends.js";
import { type Answer, NO_DOUBT } from "../ahead/window.js";
import { isCloser } from "../characters.js";
import type { OpenDocument, WrongClosers } from "../document.js";

/**
 * At a closing bracket that can close nothing: does the document continue after it, so that it is one too many? Each of
 * `]]]` in `{"a": {"b": 1]]]` is looked through once, although the answer for the first depends on the text after the
 * last one.
 */
export function isExtraCloser(
  { wrongClosers, cursor, ahead, nesting, levels }: OpenDocument,
  i: number,
): Answer {
  const { offset } = cursor.position;
  begin(wrongClosers, offset + i);
  const { following } = wrongClosers;
  let level = nesting.depth - following.length;
  let start = (following.at(-1) ?? offset + i) - offset + 1;
  while (level > 0) {
    const next = ahead.skipBlank(start);
    if (next < 0 || !isCloser(ahead.at(next))) break;
    if (levels.innermost(ahead.at(next) !== CLOSE_BRACE, level) > 0) break;
    following.push(offset + next);
    level--;
    start = next + 1;
  }
  return endsValue(ahead, start, Math.max(level, 0), NO_DOUBT);
}

function begin(closers: WrongClosers, at: number): void {
  if (at === closers.at) return;
  if (at === closers.following[0]) closers.following.shift();
  else closers.following.length = 0;
  closers.at = at;
}
