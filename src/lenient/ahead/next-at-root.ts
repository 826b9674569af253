/** Recognizes the next of several objects at the root, which a schema reads as the elements of one list. */

import { COMMA, OPEN_BRACE } from "../../json/scan/characters.js";
import { isOtherComma } from "../characters.js";
import { isKey } from "./keys.js";
import { endOfMatch } from "./tokens.js";
import { type FoundAt, QUOTED_BEFORE, type Window } from "./window.js";

/**
 * After an object at the root: only white space, comments, separators, fences and the markers of a list lie before
 * another object, whose first key the schema expects. Returns where it begins.
 */
export function nextAtRoot(ahead: Window, start: number): FoundAt {
  ahead.requireWhole();
  for (let from = start; ;) {
    const i = ahead.skipBlank(from);
    if (i < 0) return ahead.unlessMore(false);
    const character = ahead.at(i);
    if (character === OPEN_BRACE) {
      const key = ahead.skipBlank(i + 1);
      const begins = key < 0 ? ahead.unlessMore(false) : isKey(ahead, key, QUOTED_BEFORE);
      return begins && i;
    }
    const end = character === COMMA || isOtherComma(character) ? i + 1 : endOfMark(ahead, i);
    if (end === undefined || end === false) return end;
    from = end;
  }
}

/** A fence with the word after it, or the marker of a list at the start of its line. */
function endOfMark(ahead: Window, i: number): FoundAt {
  return endOfMatch(ahead, i, longestMark, ahead.sawLine ? fenceOrMarker : fence, startOfMark);
}

const fence = /^(?:`{3,}|~{3,})\w*/;
const fenceOrMarker = /^(?:(?:`{3,}|~{3,})\w*|(?:[-*•]|\d{1,3}[.)])(?=\s))/;
const startOfMark = /^(?:[`~]{1,2}|[-*•]|\d{1,3}[.)]?)$/;
const longestMark = 20;
