/**
 * Reads the beginnings of objects, arrays and members, with the short cuts if there are any.
 *
 * In `[{"id": 1}, {"id": 2}]` the scanner asks `beginContainer()` at each opening bracket. After that of the second object
 * `readMember()` knows the next key, and reads it with its colon. If the chunk ends inside that key, the state is
 * GUESSED_KEY, and `matchKey()` compares the rest of it. A key in quotes that is not the guessed one is left to
 * `strings/quoted`.
 */

import { QUOTE } from "../json/scan/characters.js";
import type { ShortCuts } from "../json/scan/short-cuts.js";
import * as State from "../json/scan/states.js";
import { ENDS, UNCLEAR } from "./ahead/clean-ends.js";
import type { OpenDocument } from "./document.js";
import { readSet } from "./sets.js";
import type { LenientString } from "./strings/open-string.js";
import { cleanEndAt, continueString, startString } from "./strings/quoted.js";

/** At an opening bracket. */
export function beginContainer(document: OpenDocument, text: string, i: number, isArray: boolean): number {
  const { fast, nesting } = document;
  if (!isArray && document.listener.expectsList?.() === true) {
    const end = readSet(document, text, i);
    if (end !== i) return end;
  }
  // The value of a member is not the start of a run: a key follows it.
  if (fast !== undefined && (nesting.inArray || nesting.depth === 0)) {
    const end = readRun(document, fast, text, i);
    if (end > i) return end;
  }
  document.open(i, isArray);
  return isArray ? i + 1 : readMember(document, text, i + 1);
}

function readRun(document: OpenDocument, fast: ShortCuts, text: string, i: number): number {
  const end = fast.read(text, i);
  if (end > i) document.afterValue();
  return end;
}

/** After the bracket or comma before a member. */
export function readMember(document: OpenDocument, text: string, start: number): number {
  const { fast, nesting } = document;
  if (fast === undefined || nesting.hasAllKeys(document.listener)) return start;
  const end = fast.member(text, start);
  if (end === start) return start;
  document.guessedKey();
  document.state = State.VALUE;
  const { value } = fast;
  if (value !== undefined) document.string(value);
  return end;
}

/** At the opening quote of a key. */
export function beginKey(open: LenientString, text: string, i: number): number {
  const { document } = open;
  const { fast } = document;
  document.checkKeys(i);
  const end = fast === undefined ? i : readRun(document, fast, text, i);
  if (end > i) return end;
  if (fast?.keys.guess() === undefined) return startString(open, text, i + 1, true);
  return matchKey(open, text, i + 1);
}

/** Reads a key that so far is the guessed one. */
export function matchKey(open: LenientString, text: string, start: number): number {
  const { document } = open;
  const { keys } = document.fast as ShortCuts;
  const i = keys.match(text, start);
  if (i === text.length) {
    document.state = State.GUESSED_KEY;
    return i;
  }
  if (keys.isWhole && text.charCodeAt(i) === QUOTE) {
    const ends = cleanEndAt(document, text, i, true);
    if (ends === ENDS) {
      document.guessedKey();
      return i + 1;
    }
    if (ends !== UNCLEAR) {
      document.inKey = true;
      document.state = State.GUESSED_KEY;
      return document.cursor.holdEnd(i, false);
    }
  }
  open.begin(true, keys.matched);
  return continueString(open, text, i);
}
