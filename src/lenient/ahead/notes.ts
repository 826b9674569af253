/** Recognizes words and notes after a value, which are not JSON. */

import { isBlank, isKeyCharacter } from "../../text/around/characters.js";
import * as Char from "../../json/scan/characters.js";
import { isCloser, isOpener } from "../characters.js";
import { isBeforeSeparator, isSeparator } from "./tokens.js";
import { isKey } from "./keys.js";
import { continuesAtComma } from "./value-ends.js";
import { type Answer, type FoundAt, isFound, NO_DOUBT, QUOTED_BEFORE, type Window } from "./window.js";

/**
 * After a quote and white space: do words follow that are not part of the string: in an array the next element, `"a"
 * b,` or `"a" b",`; or a note, `"a" (b),`?
 */
export function isBeforeStrayWord(ahead: Window, start: number, depth: number): Answer {
  const first = ahead.skipBlank(start);
  if (first < 0) return ahead.unlessMore(false);
  const inArray = ahead.levels.isArray(depth);
  const bracketed = endOfBracketed(ahead, first, depth, true);
  if (bracketed !== false) return isFound(bracketed);
  if (first === start) return false;
  if (!inArray) {
    const begins = isKeyCharacter(ahead.at(first)) || beginsNote(ahead, first);
    return begins && isFound(endOfNote(ahead, first, depth));
  }
  const isNote = beginsNote(ahead, first);
  if (isNote !== false) return isNote && isFound(endOfNote(ahead, first, depth));
  if (!isKeyCharacter(ahead.at(first))) return false;
  for (let i = first; i < ahead.end; i++) {
    const character = ahead.at(i);
    if (character === Char.CLOSE_BRACE) return false;
    if (character === Char.CLOSE_BRACKET || character === Char.COMMA) return true;
    if (ahead.isQuote(i)) return isBeforeSeparator(ahead, i + 1);
    if (!isKeyCharacter(character) && !isBlank(character)) return false;
  }
  return ahead.unlessMore(false);
}

/** Does a note about a value begin here: a parenthesis, or a dash and a space? */
export function beginsNote(ahead: Window, i: number): Answer {
  const character = ahead.at(i);
  if (character === Char.OPEN_PARENTHESIS) return true;
  if (character !== Char.MINUS && character !== EN_DASH && character !== EM_DASH) return false;
  return i + 1 === ahead.end ? ahead.unlessMore(false) : ahead.at(i + 1) === Char.SPACE;
}

const EN_DASH = 0x2013;
const EM_DASH = 0x2014;

/** Returns where a note ends: before the comma, closing bracket or line feed after which JSON continues. */
export function endOfNote(ahead: Window, start: number, depth: number): FoundAt {
  let open = 0;
  for (let i = start; i < ahead.end; i++) {
    const character = ahead.at(i);
    if (character === Char.OPEN_PARENTHESIS || character === Char.OPEN_BRACKET) open++;
    else if (open > 0 && (character === Char.CLOSE_PARENTHESIS || character === Char.CLOSE_BRACKET)) {
      open--;
    } else if (character === Char.QUOTE || isOpener(character) || (open === 0 && character === Char.COLON))
      return false;
    else if (open === 0 && (isSeparator(character) || character === Char.LINE_FEED)) {
      const ends = endsNote(ahead, i, depth);
      if (ends !== false) return ends && i;
      if (character !== Char.COMMA) return false;
    }
  }
  return ahead.unlessMore(false);
}

/**
 * The same of a note in brackets, which begins with a letter: an array has other values.
 *
 * @param mayCite whether it may also be a citation
 */
export function endOfBracketed(ahead: Window, start: number, depth: number, mayCite: boolean): FoundAt {
  const cited = mayCite && endOfCitation(ahead, start, depth);
  if (cited !== false || ahead.at(start) !== Char.OPEN_BRACKET) return cited;
  const first = ahead.at(start + 1);
  if (start + 1 === ahead.end) return ahead.unlessMore(false);
  return isKeyCharacter(first) && !Char.isDigit(first) && endOfNote(ahead, start, depth);
}

/** Returns where citations end after which JSON continues: `[1]`, `[2, 3][^4]`, `【5†a】`. */
export function endOfCitation(ahead: Window, start: number, depth: number): FoundAt {
  const known = ahead.text.slice(start, ahead.end);
  const [{ length }] = citations.exec(known) ?? [""];
  const rest = known.slice(length);
  if (startOfCitation.test(rest)) return ahead.unlessMore(false);
  if (length === 0) return false;
  const ends = endsNote(ahead, start + length, depth);
  return ends && start + length;
}

const citations = /^(?:[^\S\n]*(?:\[\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]|【[^【】"\n]{1,40}】))+/;
const startOfCitation = /^[^\S\n]*(?:\[\^?[\d\s,–-]{0,40}|【[^【】"\n]{0,40})$/;

function endsNote(ahead: Window, start: number, depth: number): Answer {
  const i = ahead.skipBlank(start);
  if (i < 0) return ahead.unlessMore(false);
  const character = ahead.at(i);
  const inArray = ahead.levels.isArray(depth);
  if (character === Char.COMMA) return continuesAtComma(ahead, i, depth, QUOTED_BEFORE);
  if (isCloser(character)) return character === (inArray ? Char.CLOSE_BRACKET : Char.CLOSE_BRACE);
  return !inArray && ahead.isQuote(i) && isKey(ahead, i, NO_DOUBT);
}
