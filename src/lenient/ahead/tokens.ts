/** Recognizes tokens that JSON does not have, in the text ahead. Positions are indexes in `Window.text`. */

import { lazyPattern } from "../../text/lazy-pattern.js";
import { isBlank, isForeignColon, isKeyCharacter } from "../../text/around/characters.js";
import * as Char from "../../json/scan/characters.js";
import { isSimpleWord } from "../bare-value.js";
import { isCloser, isOpener, isOtherComma } from "../characters.js";
import { type Answer, type FoundAt, isFound, type Window } from "./window.js";

/**
 * Returns the index after the text that a pattern matches here.
 *
 * @param length the most characters to look at
 * @param startOf matches a text that may become one
 */
export function endOfMatch(
  ahead: Window,
  start: number,
  length: number,
  pattern: RegExp,
  startOf: RegExp,
): FoundAt {
  const known = ahead.text.slice(start, Math.min(start + length, ahead.end));
  const [found] = pattern.exec(known) ?? [];
  if (found !== undefined) return start + found.length;
  return start + known.length === ahead.end && startOf.test(known) ? ahead.unlessMore(false) : false;
}

/** The prefix of a string of Python: `r'a'`, `rb"a"`, `u'a'`. Returns where the quote is. */
export function quoteAfterPrefix(ahead: Window, start: number): FoundAt {
  return endOfMatch(ahead, start, 4, prefix, startOfPrefix);
}

/** Not before a comma and the like, where the opening quote of a text is missing: `b",` */
const prefix = /^(?:u|rb?|br?)(?=["'][^\s,:\]}])/i;
const startOfPrefix = /^(?:u|rb?|br?)["']?$/i;

/** Returns where the string begins after this word: `and "a"`. */
export function afterConjunction(ahead: Window, start: number): FoundAt {
  return endOfMatch(ahead, start, 8, /^(?:and|or) +(?=["“'])/, /^(?:an?|and *|o|or *)$/);
}

/** This character, after white space and comments. */
export function isNext(ahead: Window, start: number, character: number): Answer {
  const i = ahead.skipBlank(start);
  return i < 0 ? ahead.unlessMore(false) : ahead.at(i) === character;
}

/**
 * Does a string begin with this quote? One of brackets (`「a」`, `«a»`) does if nothing but a comma, colon or closing
 * bracket follows it. Otherwise it is part of a text: `「a」と「b」`, `« a »`.
 */
export function beginsString(ahead: Window, start: number): Answer {
  if (!"「『«".includes(ahead.text.charAt(start))) return true;
  const end = ahead.endOfString(start);
  if (end < 0) return ahead.unlessMore(false);
  if (isBlank(ahead.at(start + 1))) return false;
  const i = ahead.skipBlank(end);
  if (i < 0) return ahead.atEnd;
  const character = ahead.at(i);
  return isSeparator(character) || isOtherComma(character) || isAnyColon(character);
}

/** A comma or a closing bracket, after white space and comments. */
export function isBeforeSeparator(ahead: Window, start: number): Answer {
  const i = ahead.skipBlank(start);
  return i < 0 ? ahead.unlessMore(false) : isSeparator(ahead.at(i));
}

export function isAnyColon(character: number): boolean {
  return character === Char.COLON || isForeignColon(character);
}

/** A sign between a key and its value: a colon, `=`, `=>`, `->` or `→`. Returns the index after it. */
export function endOfColon(ahead: Window, i: number): FoundAt {
  const character = ahead.at(i);
  if (isAnyColon(character) || character === ARROW) return i + 1;
  if (character !== Char.EQUALS && character !== Char.MINUS) return false;
  if (i + 1 >= ahead.end) return ahead.unlessMore(character === Char.EQUALS && i + 1);
  const next = ahead.at(i + 1);
  if (next === Char.GREATER) return i + 2;
  return character === Char.EQUALS && next !== Char.EQUALS && i + 1;
}

const ARROW = 0x2192; // →

export function isSeparator(character: number): boolean {
  return character === Char.COMMA || isCloser(character);
}

/**
 * Text without quotes that ends before a comma, closing bracket or line feed.
 *
 * @param mayLackQuote whether it may also be a string without its opening quote: `word",`
 */
export function isWord(ahead: Window, start: number, mayLackQuote = false): Answer {
  for (let i = start; i < ahead.end; i++) {
    const character = ahead.at(i);
    if (isSeparator(character) || character === Char.LINE_FEED) return true;
    if (ahead.isQuote(i)) return mayLackQuote && i > start && isBeforeSeparator(ahead, i + 1);
    if (character === Char.COLON) return false;
  }
  return ahead.atEnd;
}

/** A number or a literal that ends at white space, a comma or a closing bracket. */
export function isSimple(ahead: Window, start: number): Answer {
  return isFound(endOfSimple(ahead, start));
}

/** The same. Returns the index after it. */
export function endOfSimple(ahead: Window, start: number): FoundAt {
  const i = endOfSearch(ahead, start);
  if (i === ahead.end && ahead.atEnd === undefined) return undefined;
  const word = ahead.text.slice(start, i);
  return ((Char.isDigit(word.charCodeAt(0)) && !word.includes('"')) || isSimpleWord(word)) && i;
}

/** Each quote of a key may ask, so a search continues where the one before it has ended. */
function endOfSearch(ahead: Window, start: number): number {
  const { simple, before, end } = ahead;
  let i = Math.min(simple.begin(before + start) - before, end);
  while (i < end && !endsSimple(ahead.at(i))) i++;
  simple.reach(before + i);
  return i;
}

function endsSimple(character: number): boolean {
  return isSeparator(character) || isOtherComma(character) || isBlank(character);
}

/** A number or a literal that is an element. */
export function isSimpleElement(ahead: Window, start: number): Answer {
  return isSimple(ahead, start) && isWord(ahead, start);
}

/** The rest of parentheses with no comma at their level. Goes on where more text was needed for the same ones. */
export function isOneValue(ahead: Window, start: number): Answer {
  const { before, group } = ahead;
  if (group.start !== before + start) {
    group.start = group.at = before + start;
    group.open = 0;
  }
  for (let i = group.at - before; i < ahead.end;) {
    const character = ahead.at(i);
    if (ahead.isQuote(i)) {
      i = ahead.endOfString(i);
      if (i < 0) break;
    } else {
      if (group.open === 0 && character === Char.COMMA) return false;
      if (group.open === 0 && character === Char.CLOSE_PARENTHESIS) return i > start;
      if (isOpener(character)) group.open++;
      else if (isCloser(character)) group.open--;
      i++;
    }
    group.at = before + i;
  }
  return ahead.atEnd;
}

/** A key without quotes that continues after this space, on the same line: `Some key: 1`. */
export function continuesKey(ahead: Window, start: number): Answer {
  const i = endOfWords(ahead, start);
  return i === ahead.end ? ahead.unlessMore(false) : isAnyColon(ahead.at(i));
}

/** Returns the index after the words here, and the spaces or other characters between them. */
export function endOfWords(ahead: Window, start: number, between: number = Char.SPACE): number {
  let i = start;
  while (i < ahead.end && (isKeyCharacter(ahead.at(i)) || ahead.at(i) === between)) i++;
  return i;
}

/** An ellipsis alone between commas, brackets and line breaks, maybe with words: `... (3 more)`. Returns where it ends. */
export function endOfEllipsis(ahead: Window, start: number): FoundAt {
  const known = ahead.text.slice(start, ahead.end);
  const [{ length }] = ellipsis().exec(known) ?? [""];
  const end = start + length;
  const after = length < known.length ? ahead.skipBlank(end) : -1;
  if (after < 0 || /^\.{1,2}$/.test(known)) return ahead.unlessMore(length > 0 && end);
  return length > 0 && (ahead.sawLine || isSeparator(ahead.at(after))) && end;
}

const ellipsis = lazyPattern(String.raw`^(?:\.{3}|\u2026)(?: *\([\p{L}\p{N} ]*\)?| [\p{L}\p{N} ]*)?`);

/** A call around one value: `ObjectId("1")`. Returns where the value begins. */
export function valueOfCall(ahead: Window, start: number): FoundAt {
  const i = endOfWords(ahead, start, Char.DOT);
  if (i < ahead.end && ahead.at(i) !== Char.OPEN_PARENTHESIS) return false;
  const value = ahead.skipBlank(i + 1);
  if (i === ahead.end || value < 0) return ahead.unlessMore(false);
  const character = ahead.at(value);
  const isNumber = Char.isDigit(character) || character === Char.MINUS;
  if (!Char.opensContainer(character) && !isNumber && !ahead.isQuote(value)) return false;
  return isOneValue(ahead, value) && value;
}

/** Returns the index after the characters that begin a comment here. */
export function endOfCommentMark(ahead: Window, start: number): FoundAt {
  return endOfMatch(ahead, start, 4, /^(?:#|\/[/*]|<!--)/, /^(?:\/|<(?:!-?)?)$/);
}

/**
 * The end of an open container in the line of a comment: `{"a": 1 # one }`. Returns where it is;
 * `false` if the comment takes its whole line.
 */
export function closerInComment(ahead: Window, start: number, depth: number): FoundAt {
  const { text, end, levels } = ahead;
  if (depth === 0 || /[\r\n]/.test(text.slice(start, end))) return false;
  if (ahead.atEnd === undefined) return undefined;
  let open = 0;
  for (let i = start; i < end; i++) {
    const character = ahead.at(i);
    if (Char.opensContainer(character)) open++;
    else if (character === Char.CLOSE_BRACE || character === Char.CLOSE_BRACKET) {
      if (open-- === 0) return levels.innermost(character === Char.CLOSE_BRACKET, depth) > 0 ? i : false;
    }
  }
  return false;
}

/**
 * The next part of a string that is put together: `"a" + "b"`; in an object each part on its own line, and in parentheses
 * `("a" "b")`. Returns where the part's quote is.
 */
export function nextPart(
  ahead: Window,
  start: number,
  place: { inGroup: boolean; inArray: boolean },
): FoundAt {
  const { inGroup, inArray } = place;
  const plus = ahead.skipBlank(start);
  if (plus < 0) return ahead.unlessMore(false);
  const mayBePart = inGroup ? plus > start : !inArray && ahead.sawLine;
  if (mayBePart && ahead.isQuote(plus)) return adjoiningPart(ahead, plus, inGroup);
  if (ahead.at(plus) !== Char.PLUS) return false;
  const quote = ahead.skipBlank(plus + 1);
  if (quote < 0) return ahead.unlessMore(false);
  return ahead.isQuote(quote) && quote;
}

/** The string that begins here is the next part, and no key, if a comma or bracket follows. */
function adjoiningPart(ahead: Window, quote: number, inGroup: boolean): FoundAt {
  const end = ahead.endOfString(quote);
  const after = end < 0 ? end : ahead.skipBlank(end);
  if (after < 0) return ahead.unlessMore(false);
  const character = ahead.at(after);
  const isLast = inGroup
    ? character === Char.CLOSE_PARENTHESIS
    : character === Char.COMMA || character === Char.CLOSE_BRACE;
  return (isLast || ((inGroup || ahead.sawLine) && ahead.isQuote(after))) && quote;
}
