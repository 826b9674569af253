import { isEndOfDocument } from "./fences.js";
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_PARENTHESIS,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  isDigit,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "../../json/scan/characters.js";
import { isCloser, isOpener, isOtherComma } from "../characters.js";
import {
  endOfColon,
  endOfPath,
  endOfSimple,
  endOfWords,
  isAnyColon,
  isBeforeSeparator,
  isNext,
  isSeparator,
  isSimple,
  isSimpleElement,
  isWord,
  quoteAfterPrefix,
} from "./tokens.js";
import {
  AFTER_FENCE,
  type Answer,
  type Doubt,
  type FoundAt,
  NO_DOUBT,
  QUOTED_BEFORE,
  type Window,
} from "./window.js";

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
  [COMMA, { inObject: continuesAtComma, inArray: continuesAtComma }],
  [OPEN_BRACE, { inObject: isElementOfArray, inArray: yes }],
  [OPEN_BRACKET, { inObject: no, inArray: yes }],
  [COLON, { inObject: no, inArray: (_, __, ___, doubt) => doubt === NO_DOUBT }],
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
    const closed = levels.innermost(character !== CLOSE_BRACE, level);
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

/** A key of the object around an array whose closing bracket is missing. */
function isKeyAround(ahead: Window, quote: number, depth: number): Answer {
  if (ahead.levels.innermost(false, depth) === 0) return false;
  const end = ahead.endOfString(quote);
  if (end < 0) return ahead.unlessMore(false);
  if (ahead.hints.mayBeKeyAround?.(ahead.text.slice(quote + 1, end - 1), true) === false) return false;
  return isNext(ahead, end, COLON);
}

/**
 * The same of a key without quotes. `[x, y: 1]` has an element in two words, so the object must end before an array does:
 * `{"a": ["x", y: 1}`.
 *
 * @param read the part of the key before this place
 */
export function isBareKeyAround(ahead: Window, start: number, depth: number, read = ""): Answer {
  if (ahead.levels.innermost(false, depth) === 0) return false;
  const colon = endOfPath(ahead, start);
  if (colon === ahead.end) return ahead.unlessMore(false);
  const key = read + ahead.text.slice(start, colon);
  if (!/^[^\d.]/.test(key) || ahead.at(colon) !== COLON) return false;
  if (ahead.hints.mayBeKeyAround?.(key, true) === false) return false;
  const value = ahead.skipBlank(colon + 1);
  const begins = value < 0 ? ahead.unlessMore(false) : beginsValue(ahead, value);
  return begins && isBeforeEndOfObject(ahead, value);
}

/** Does an object end before an array does? */
function isBeforeEndOfObject(ahead: Window, start: number): Answer {
  let open = 0;
  for (let i = start; i < ahead.end;) {
    const character = ahead.at(i);
    if (isOpener(character)) open++;
    else if (isCloser(character) && open-- === 0) return character === CLOSE_BRACE;
    i = ahead.isQuote(i) ? ahead.endOfString(i) : i + 1;
    if (i < 0) break;
  }
  return ahead.unlessMore(false);
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
    if (ahead.at(i) === BACKSLASH) i++;
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
  if (character === OPEN_BRACE) return isElementOfArray(ahead, i, depth);
  // With no quote inside the string, only JSON looks like this.
  if (doubt === NO_DOUBT && character === QUOTE) return true;
  const isFirst = doubt === NO_DOUBT;
  return character === DOT || isKey(ahead, i, ahead.sawLine ? NO_DOUBT : doubt, isFirst, isFirst);
}

/** After a comma in an array: is here the next element? */
function isNextElement(ahead: Window, i: number, depth: number, doubt: Doubt): Answer {
  const character = ahead.at(i);
  if (character === OPEN_BRACE || character === OPEN_BRACKET) return true;
  const quote = pastPrefix(ahead, i);
  if (ahead.isQuote(quote)) return doubt <= QUOTED_BEFORE || isStringElement(ahead, quote, depth);
  if (doubt === AFTER_FENCE) return false;
  if (doubt === NO_DOUBT && (isDigit(character) || character === MINUS)) return true;
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
  if (character === OPEN_BRACE || character === OPEN_BRACKET) {
    const first = ahead.skipBlank(i + 1);
    return first < 0 ? ahead.atEnd : doubt === NO_DOUBT || ahead.isQuote(first);
  }
  return ahead.isQuote(i) ? isStringElement(ahead, i, depth) : isSimpleElement(ahead, i);
}

/** Returns where the string begins after this word: `and "a"`. */
export function afterConjunction(ahead: Window, start: number): FoundAt {
  const known = ahead.text.slice(start, Math.min(start + 8, ahead.end));
  const [found] = /^(?:and|or) +(?=["“'])/.exec(known) ?? [];
  if (found !== undefined) return start + found.length;
  const mayBe = start + known.length === ahead.end && /^(?:an?|and *|o|or *)$/.test(known);
  return mayBe ? ahead.unlessMore(false) : false;
}

/** Returns the index after the prefix of a string, if there is one: `r'a'`. */
function pastPrefix(ahead: Window, start: number): number {
  const quote = quoteAfterPrefix(ahead, start);
  return quote === undefined || quote === false ? start : quote;
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
    if (isCloser(character)) return true;
    if (character === COMMA) return continuesAtComma(ahead, i, depth, QUOTED_BEFORE);
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

/** A string after which an object continues. */
function isStringValue(ahead: Window, start: number): Answer {
  const end = ahead.endOfString(start);
  const i = end < 0 ? end : ahead.skipBlank(end);
  if (i < 0) return ahead.atEnd;
  return isSeparator(ahead.at(i)) || isOtherComma(ahead.at(i)) || ahead.sawLine;
}

/** A string before the end of an object, or a comma and a key in quotes. */
export function isLastValue(ahead: Window, start: number): Answer {
  const end = ahead.endOfString(start);
  const i = end < 0 ? end : ahead.skipBlank(end);
  if (i < 0) return ahead.unlessMore(false);
  return ahead.at(i) === COMMA ? isBeforeKey(ahead, i + 1) : ahead.at(i) === CLOSE_BRACE;
}

/** After a string: does the set end, or does its next string follow? */
export function isElementOfSet(ahead: Window, start: number): Answer {
  const i = ahead.skipBlank(start);
  if (i < 0) return ahead.unlessMore(false);
  if (ahead.at(i) !== COMMA) return ahead.at(i) === CLOSE_BRACE;
  const next = ahead.skipBlank(i + 1);
  const end = next >= 0 && ahead.isQuote(next) ? ahead.endOfString(next) : next;
  if (end < 0) return ahead.unlessMore(false);
  return end > next && isBeforeSeparator(ahead, end);
}

/** A key in quotes, and its colon, that the schema names. */
export function isKnownKey(ahead: Window, start: number): Answer {
  const end = ahead.endOfString(start);
  if (end < 0) return ahead.unlessMore(false);
  return ahead.hints.knowsKey?.(ahead.text.slice(start + 1, end - 1)) === true && isNext(ahead, end, COLON);
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
  if (ahead.at(next) === CLOSE_BRACE) {
    const isLast = ahead.skipBlank(next + 1) < 0;
    return isLast ? ahead.unlessMore(true) : endsValue(ahead, next + 1, depth - 1, QUOTED_BEFORE);
  }
  if (ahead.at(next) !== COMMA) return false;
  const key = ahead.skipBlank(next + 1);
  return key < 0 ? ahead.unlessMore(false) : isKnownKey(ahead, key);
}

/**
 * A key and its colon: `"key":`, `'key':` or `key:`.
 *
 * @param mayBeOther whether another sign may be between it and its value: `key = 1`
 * @param afterWord whether a stray word may come before the key
 */
export function isKey(
  ahead: Window,
  from: number,
  doubt: Doubt,
  mayBeOther: boolean = doubt === NO_DOUBT,
  afterWord = false,
): Answer {
  const start = pastPrefix(ahead, from);
  const isQuoted = ahead.isQuote(start);
  let i = isQuoted ? ahead.endOfString(start) : endOfPath(ahead, start);
  if (i < 0) return ahead.atEnd;
  if (i === start) return false;
  const key = ahead.text.slice(start, i);
  // The opening quote is missing: b":
  if (!isQuoted && i < ahead.end && ahead.at(i) === QUOTE) i++;
  const colon = ahead.skipBlank(i);
  if (colon < 0) return ahead.atEnd;
  if (key.endsWith(".")) return false;
  if (isAnyColon(ahead.at(colon))) return doubt === NO_DOUBT || isLikelyKey(ahead, key, isQuoted, doubt);
  const isOther = mayBeOther && isBeforeValue(ahead, colon);
  if (isOther !== false) return isOther;
  const isKnown = !isQuoted && isKnownInWords(ahead, start);
  if (isKnown !== false) return isKnown;
  return afterWord && colon > i && !isQuoted && isBeforeKey(ahead, i);
}

/** A key of several words, and its colon, that the schema names: `last name:`. */
function isKnownInWords(ahead: Window, start: number): Answer {
  const { text, end, hints } = ahead;
  if (hints.knowsKey === undefined) return false;
  const colon = endOfWords(ahead, start);
  if (colon === end) return ahead.unlessMore(false);
  return ahead.at(colon) === COLON && hints.knowsKey(text.slice(start, colon).trimEnd()) === true;
}

/** After a quote inside the string the schema decides, if it names its keys. */
function isLikelyKey(ahead: Window, key: string, isQuoted: boolean, doubt: Doubt): boolean {
  const known = ahead.hints.knowsKey?.(isQuoted ? key.slice(1, -1) : key);
  return known ?? (isQuoted || doubt === QUOTED_BEFORE);
}

/** At another sign than a colon: does a value follow it? */
function isBeforeValue(ahead: Window, sign: number): Answer {
  const value = endOfColon(ahead, sign);
  return typeof value === "number" ? beginsValue(ahead, value) : value;
}

/** Does a value of JSON begin here, after white space? */
function beginsValue(ahead: Window, start: number): Answer {
  const i = ahead.skipBlank(start);
  if (i < 0) return ahead.atEnd;
  const character = ahead.at(i);
  const isContainer = character === OPEN_BRACE || character === OPEN_BRACKET;
  return isContainer || character === MINUS || ahead.isQuote(i) || isSimple(ahead, i);
}

/** Does a key end before this place: does a colon follow, or a value whose colon is missing? */
export function endsKey(ahead: Window, start: number, mayAdjoin = false): Answer {
  const i = ahead.skipBlank(start);
  if (i < 0) return ahead.atEnd;
  const character = ahead.at(i);
  if (isAnyColon(character)) return true;
  const colon = endOfColon(ahead, i);
  if (colon === undefined) return undefined;
  if (colon !== false) return (mayAdjoin && character === EQUALS) || beginsValue(ahead, colon);
  if (character === OPEN_BRACE || character === OPEN_BRACKET) return true;
  // "key""value"
  return ahead.isQuote(i) ? (mayAdjoin || i > start) && isStringValue(ahead, i) : isSimple(ahead, i);
}

/** Does this quote begin the next key or element, so that the string before it has no closing quote? */
export function missesQuote(ahead: Window, quote: number, depth: number, doubt: Doubt): Answer {
  ahead.requireWhole();
  if (ahead.levels.isArray(depth)) return isStringElement(ahead, quote, depth);
  return isKey(ahead, quote, doubt === NO_DOUBT ? QUOTED_BEFORE : doubt);
}

/** Does this quote begin the value of a key that has no closing quote? */
export function missesQuoteOfKey(ahead: Window, quote: number): Answer {
  ahead.requireWhole();
  return isStringValue(ahead, quote);
}

/** After a stray word: do more words follow, maybe, and then a key in quotes: `A COMMENT "key":`? */
function isBeforeKey(ahead: Window, start: number): Answer {
  const key = keyAfterWords(ahead, start);
  return key === undefined ? undefined : key !== false;
}

/** Returns where the key begins that follows the words here. */
export function keyAfterWords(ahead: Window, start: number): FoundAt {
  const i = ahead.skipBlank(endOfWords(ahead, start));
  if (i < 0) return ahead.unlessMore(false);
  if (!ahead.isQuote(i)) return false;
  if (ahead.endOfString(i) < 0) return ahead.unlessMore(false);
  const isAfter = isKey(ahead, i, NO_DOUBT);
  return isAfter && i;
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
  if (ahead.at(i) !== COMMA || (outer > 0 && !levels.isArray(outer))) return false;
  const key = ahead.skipBlank(i + 1);
  return key < 0 ? ahead.unlessMore(false) : isKey(ahead, key, NO_DOUBT);
}

/** After a closing bracket that would end the document: does the text continue in the array at this depth? */
export function continuesArray(ahead: Window, start: number, depth: number): Answer {
  if (depth === 0 || !ahead.levels.isArray(depth)) return false;
  const i = ahead.skipBlank(start);
  if (i < 0) return ahead.unlessMore(false);
  const character = ahead.at(i);
  return character !== CLOSE_PARENTHESIS && isSeparator(character);
}

/** Do a quoted key and its value follow, with or without a colon? */
export function continuesMembers(ahead: Window, start: number): Answer {
  ahead.requireWhole();
  const i = ahead.skipBlank(start);
  if (i < 0) return ahead.atEnd;
  const end = ahead.isQuote(i) ? ahead.endOfString(i) : 0;
  if (end < 0) return ahead.atEnd;
  return end > 0 && endsKey(ahead, end);
}

/** Does a number end before this place? `12 kg`, `1/3` and, in an object, `1,234` do not. */
export function endsNumber(ahead: Window, start: number, depth: number): Answer {
  const inArray = ahead.levels.isArray(depth);
  if (ahead.at(start) === COMMA) {
    if (inArray) return true;
    const next = start + 1;
    if (next === ahead.end) return ahead.atEnd;
    return !isDigit(ahead.at(next)) || isKey(ahead, next, NO_DOUBT);
  }
  const i = ahead.skipBlank(start);
  if (i < 0) return ahead.atEnd;
  const character = ahead.at(i);
  if (isSeparator(character) || ahead.sawLine) return true;
  const ends = isEndOfDocument(ahead, i);
  if (ends !== false) return ends;
  if (character === OPEN_BRACE || character === OPEN_BRACKET) return true;
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
