import { isEndOfDocument } from "./fences.js";
import * as Char from "../../json/scan/characters.js";
import { isCloser, isOtherComma } from "../characters.js";
import { isBareKeyAround, isKey, isKeyAround, isKnownKey, pastPrefix } from "./keys.js";
import { afterConjunction, endOfSimple, isSeparator, isSimple, isSimpleElement, isWord } from "./tokens.js";
import { AFTER_FENCE, type Answer, type Doubt, NO_DOUBT, QUOTED_BEFORE, type Window } from "./window.js";

/** Looks at the character at `i`, in or after a value at this depth. */
type Look = (ahead: Window, i: number, depth: number, doubt: Doubt) => Answer;

const yes: Look = () => true;
const no: Look = () => false;

/**
 * Does a value, such as a string at a quote, end before this character, the first one after white space and comments? The
 * decision depends on the container around the value. Where the text ends, the value ends too, unless more text may come.
 *
 * After other quotes in the string (`Doubt`), what follows a comma must be a whole key or element: `, "` is enough
 * without them. A key is then in quotes and has its colon; one without quotes counts only after quotes in pairs, and if the
 * schema names the keys, one of those (`isLikelyKey()`).
 *
 * | next      | in an object                            | in an array                         |
 * | --------- | --------------------------------------- | ----------------------------------- |
 * | `,`       | if a key or closing bracket follows     | if an element or bracket follows    |
 * | `}` `]`   | if it closes the object, or, closing a container around it, the text continues there | the same |
 * | `{`       | if the object is an element: the next one | yes: a comma is missing           |
 * | `[`       | no                                      | yes: a comma is missing             |
 * | `;` `，`  | if a key or closing bracket follows     | if an element or bracket follows    |
 * | `:`       | no                                      | yes without a doubt: an error, `["x", "a": 1]` |
 * | a fence   | yes                                     | yes                                 |
 * | the rest  | if it is a key: a comma is missing      | if it is an element                 |
 */
const afterValue: ReadonlyMap<number, { readonly inObject: Look; readonly inArray: Look }> = new Map([
  [Char.COMMA, { inObject: continuesAtComma, inArray: continuesAtComma }],
  [Char.OPEN_BRACE, { inObject: isElementOfArray, inArray: yes }],
  [Char.OPEN_BRACKET, { inObject: no, inArray: yes }],
  [Char.COLON, { inObject: no, inArray: (_, __, ___, doubt) => doubt === NO_DOUBT }],
]);

/** May a value end before this place? */
export function endsValue(ahead: Window, start: number, depth: number, doubt: Doubt): Answer {
  const { levels } = ahead;
  let level = depth;
  for (let from = start; ;) {
    const i = ahead.skipBlank(from);
    if (i < 0) return ahead.atEnd;
    const character = ahead.at(i);
    if (level === 0) return ahead.sawLine || isSeparator(character) || isEndOfDocument(ahead, i);
    if (ahead.isWide(i) && (doubt !== NO_DOUBT || !isCloser(character))) return false;
    if (!isCloser(character)) {
      const row = afterValue.get(character);
      if (row === undefined) {
        if (isOtherComma(character)) return continuesAtOther(ahead, i, level, doubt);
        return isBeforeOther(ahead, i, level, doubt, i > from);
      }
      return (levels.isArray(level) ? row.inArray : row.inObject)(ahead, i, level, doubt);
    }
    const closed = levels.innermost(character !== Char.CLOSE_BRACE, level);
    if (closed === level) return true;
    if (closed === 0 && doubt !== NO_DOUBT) return false;
    level = (closed === 0 ? level : closed) - 1;
    from = i + 1;
  }
}

function isElementOfArray({ levels }: Window, _: number, depth: number): boolean {
  return depth > 1 && levels.isArray(depth - 1);
}

function isBeforeOther(ahead: Window, i: number, depth: number, doubt: Doubt, isSpaced: boolean): Answer {
  const fence = isEndOfDocument(ahead, i);
  if (fence !== false) return fence && endsAtFence(ahead, i, depth, doubt);
  // A comma is missing. Valid JSON does not get here, so text that is not decided is not JSON.
  ahead.requireWhole();
  if (!ahead.levels.isArray(depth)) return (isSpaced || ahead.isQuote(i)) && isKey(ahead, i, doubt);
  if (!isSpaced) return false;
  const isQuoted = ahead.isQuote(i);
  const isElement = isQuoted ? isStringElement(ahead, i, depth) : isSimpleElement(ahead, i);
  if (isElement !== false || doubt !== NO_DOUBT) return isElement;
  return (isQuoted ? isKeyAround : isBareKeyAround)(ahead, i, depth);
}

/**
 * At a fence or closing tag after a quote in a string: does it end the document? Not if the string ends at a later quote
 * outside of quotations, after which JSON continues: `"<p>He said "hi"</p>", "n": 1`.
 */
function endsAtFence(ahead: Window, fence: number, depth: number, doubt: Doubt): Answer {
  if (doubt === AFTER_FENCE) return false;
  const answer = ahead.unlessMore(true);
  if (!ahead.isFull) ahead.requireWhole();
  let inQuotation = false;
  for (let i = fence + 1; i < ahead.end; i++) {
    if (ahead.at(i) === Char.BACKSLASH) i++;
    else if (ahead.mayClose(i)) {
      const ends = !inQuotation && endsValue(ahead, i + 1, depth, AFTER_FENCE);
      if (ends !== false) return ends && false;
      inQuotation = !inQuotation && ahead.opensQuotation(i);
    }
  }
  return answer;
}

/** After a comma in an object: is here the next key? */
function isNextMember(ahead: Window, i: number, depth: number, doubt: Doubt): Answer {
  const character = ahead.at(i);
  if (character === Char.OPEN_BRACE) return isElementOfArray(ahead, i, depth);
  // With no quote inside the string, only JSON looks like this.
  if (doubt === NO_DOUBT && character === Char.QUOTE) return true;
  const isFirst = doubt === NO_DOUBT;
  return character === Char.DOT || isKey(ahead, i, ahead.sawLine ? NO_DOUBT : doubt, isFirst, isFirst);
}

/** After a comma in an array: is here the next element? */
function isNextElement(ahead: Window, i: number, depth: number, doubt: Doubt): Answer {
  const character = ahead.at(i);
  if (Char.opensContainer(character)) return true;
  const quote = pastPrefix(ahead, i);
  if (quote === undefined) return undefined;
  if (ahead.isQuote(quote)) return doubt <= QUOTED_BEFORE || isStringElement(ahead, quote, depth);
  if (doubt === AFTER_FENCE) return false;
  if (doubt === NO_DOUBT && (Char.isDigit(character) || character === Char.MINUS)) return true;
  const joined = doubt === NO_DOUBT && afterConjunction(ahead, i);
  if (joined === undefined) return undefined;
  if (joined !== false) return isStringElement(ahead, joined, depth);
  const isText = isWord(ahead, i, doubt === NO_DOUBT);
  return isText === false && doubt === NO_DOUBT ? isBareKeyAround(ahead, i, depth) : isText;
}

/** At a comma: does the next key or element, or the end, follow? */
export function continuesAtComma(ahead: Window, comma: number, depth: number, doubt: Doubt): Answer {
  const i = ahead.skipBlank(comma + 1);
  if (i < 0) return ahead.atEnd;
  if (isSeparator(ahead.at(i))) return true;
  const fence = isEndOfDocument(ahead, i);
  if (fence !== false) return fence && endsAtFence(ahead, i, depth, doubt);
  return (ahead.levels.isArray(depth) ? isNextElement : isNextMember)(ahead, i, depth, doubt);
}

/** At a comma of another kind, which is also written in texts: do a whole key, an element or the end follow? */
export function continuesAtOther(ahead: Window, comma: number, depth: number, doubt: Doubt): Answer {
  ahead.requireWhole();
  const i = ahead.skipBlank(comma + 1);
  if (i < 0) return ahead.atEnd;
  const character = ahead.at(i);
  if (isCloser(character)) return doubt === NO_DOUBT && endsValue(ahead, i, depth, doubt);
  if (!ahead.levels.isArray(depth)) return isKey(ahead, i, doubt);
  if (Char.opensContainer(character)) {
    const first = ahead.skipBlank(i + 1);
    return first < 0 ? ahead.atEnd : doubt === NO_DOUBT || ahead.isQuote(first);
  }
  return ahead.isQuote(i) ? isStringElement(ahead, i, depth) : isSimpleElement(ahead, i);
}

/** A string after which the array continues. */
function isStringElement(ahead: Window, start: number, depth: number): Answer {
  const { strings, before } = ahead;
  // A place is twice the offset of a string; one more after another comma, where all of the answer must be known.
  for (let place = 2 * (before + start); ;) {
    place = strings.end(place, ahead.skipsEscapes);
    const isWhole = place % 2;
    if (isWhole === 1) ahead.requireWhole();
    const end = ahead.endOfString((place - isWhole) / 2 - before);
    if (end < 0) return ahead.atEnd;
    const i = ahead.skipBlank(end);
    if (i < 0) return ahead.unlessMore(true);
    const character = ahead.at(i);
    if (character === Char.CLOSE_PARENTHESIS) return ahead.parentheses.areOpen;
    if (isCloser(character)) return true;
    if (character === Char.COMMA) return continuesAtComma(ahead, i, depth, QUOTED_BEFORE);
    const isOther = isOtherComma(character);
    if (isOther) ahead.requireWhole();
    const next = isOther ? ahead.skipBlank(i + 1) : i;
    if (next < 0) return ahead.atEnd;
    if (next === end) return false;
    if (!ahead.isQuote(next))
      return isOther ? continuesAtOther(ahead, i, depth, NO_DOUBT) : isSimpleElement(ahead, next);
    const from = place;
    place = 2 * (before + next) + (isOther ? 1 : isWhole);
    strings.step(from, place);
  }
}

/** The same with a value, before another such key or the end of the object. */
export function isKnownMember(ahead: Window, start: number, depth: number): Answer {
  const isKnown = isKnownKey(ahead, start);
  if (isKnown !== true) return isKnown;
  const value = ahead.skipBlank(ahead.skipBlank(ahead.endOfString(start)) + 1);
  if (value < 0) return ahead.unlessMore(false);
  const end = ahead.isQuote(value) ? ahead.endOfString(value) : endOfSimple(ahead, value);
  if (end === undefined || end === false) return end;
  const next = end < 0 ? end : ahead.skipBlank(end);
  if (next < 0) return ahead.unlessMore(false);
  if (ahead.at(next) === Char.CLOSE_BRACE) {
    const isLast = ahead.skipBlank(next + 1) < 0;
    return isLast ? ahead.unlessMore(true) : endsValue(ahead, next + 1, depth - 1, QUOTED_BEFORE);
  }
  if (ahead.at(next) !== Char.COMMA) return false;
  const key = ahead.skipBlank(next + 1);
  return key < 0 ? ahead.unlessMore(false) : isKnownKey(ahead, key);
}

/** Does this quote begin the next key or element, so that the string before it has no closing quote? */
export function missesQuote(ahead: Window, quote: number, depth: number, doubt: Doubt): Answer {
  ahead.requireWhole();
  if (ahead.levels.isArray(depth)) return isStringElement(ahead, quote, depth);
  return isKey(ahead, quote, doubt === NO_DOUBT ? QUOTED_BEFORE : doubt);
}

/**
 * After a closing bracket of the wrong kind: does the text continue in the object at depth `inner`, rather than in the
 * container at depth `outer`, which a bracket of this kind would leave open?
 */
export function continuesObject(ahead: Window, start: number, outer: number, inner: number): Answer {
  const { levels } = ahead;
  if (inner === 0 || levels.isArray(inner)) return false;
  const i = ahead.skipBlank(start);
  if (i < 0) return ahead.unlessMore(false);
  if (ahead.at(i) !== Char.COMMA || (outer > 0 && !levels.isArray(outer))) return false;
  const key = ahead.skipBlank(i + 1);
  return key < 0 ? ahead.unlessMore(false) : isKey(ahead, key, NO_DOUBT);
}

/** After a closing bracket that would end the document: does the text continue in the array at this depth? */
export function continuesArray(ahead: Window, start: number, depth: number): Answer {
  if (depth === 0 || !ahead.levels.isArray(depth)) return false;
  const i = ahead.skipBlank(start);
  if (i < 0) return ahead.unlessMore(false);
  const character = ahead.at(i);
  return character !== Char.CLOSE_PARENTHESIS && isSeparator(character);
}

/** Does a number end before this place? `12 kg`, `1/3` and, in an object, `1,234` do not. */
export function endsNumber(ahead: Window, start: number, depth: number): Answer {
  const inArray = ahead.levels.isArray(depth);
  if (ahead.at(start) === Char.COMMA) {
    if (inArray) return true;
    const next = start + 1;
    if (next === ahead.end) return ahead.atEnd;
    return !Char.isDigit(ahead.at(next)) || isKey(ahead, next, NO_DOUBT);
  }
  const i = ahead.skipBlank(start);
  if (i < 0) return ahead.atEnd;
  const character = ahead.at(i);
  if (isSeparator(character) || ahead.sawLine) return true;
  const ends = isEndOfDocument(ahead, i);
  if (ends !== false) return ends;
  if (Char.opensContainer(character)) return true;
  if (isOtherComma(character)) return inArray || continuesAtOther(ahead, i, depth, NO_DOUBT);
  if (!inArray) return (i > start || ahead.isQuote(i)) && isKey(ahead, i, NO_DOUBT);
  return i > start && (ahead.isQuote(i) || isSimple(ahead, i));
}

/** Does a value without quotes end before this line feed: does a key, a closing bracket or a comma follow? */
export function endsLine(ahead: Window, start: number, depth: number): Answer {
  const i = ahead.skipBlank(start);
  if (i < 0) return ahead.atEnd;
  if (ahead.levels.isArray(depth) || isSeparator(ahead.at(i))) return true;
  const ends = isEndOfDocument(ahead, i);
  return ends === false ? isKey(ahead, i, NO_DOUBT) : ends;
}
