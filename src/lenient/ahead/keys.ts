/**
 * Finds keys in the text ahead: the next key after a value, and the end of the open key. At the comma of
 * `{"a": "x", y", b: 2}`, `isKey()` finds no key at `y`, as no colon follows, so the quote before is part of the string. At `b`
 * it finds one, so the string ends at the quote before that.
 */

import * as Char from "../../json/scan/characters.js";
import { isCloser, isOpener, isOtherComma } from "../characters.js";
import {
  endOfColon,
  endOfWords,
  isAnyColon,
  isBeforeSeparator,
  isNext,
  isSeparator,
  isSimple,
  quoteAfterPrefix,
} from "./tokens.js";
import {
  type Answer,
  type Doubt,
  type FoundAt,
  isFound,
  NO_DOUBT,
  QUOTED_BEFORE,
  type Window,
} from "./window.js";

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
  if (start === undefined) return undefined;
  const isQuoted = ahead.isQuote(start);
  let i = isQuoted ? ahead.endOfString(start) : endOfWords(ahead, start, Char.DOT);
  if (i < 0) return ahead.atEnd;
  if (i === start) return false;
  const key = ahead.text.slice(start, i);
  // The opening quote is missing: b":
  if (!isQuoted && i < ahead.end && ahead.at(i) === Char.QUOTE) i++;
  const colon = ahead.skipBlank(i);
  if (colon < 0) return ahead.atEnd;
  if (key.endsWith(".")) return false;
  if (isAnyColon(ahead.at(colon))) return doubt === NO_DOUBT || isLikelyKey(ahead, key, isQuoted, doubt);
  const isOther = mayBeOther && isBeforeValue(ahead, colon);
  if (isOther !== false) return isOther;
  const isKnown = isKnownInWords(ahead, start);
  if (isKnown !== false) return isKnown;
  return afterWord && colon > i && !isQuoted && isBeforeKey(ahead, i);
}

/** A key of several words, and its colon, that the schema names: `last name:`. */
function isKnownInWords(ahead: Window, start: number): Answer {
  const { text, end, hints } = ahead;
  if (hints.knowsKey === undefined) return false;
  const colon = endOfWords(ahead, start);
  if (colon === end) return ahead.unlessMore(false);
  return ahead.at(colon) === Char.COLON && hints.knowsKey(text.slice(start, colon).trimEnd()) === true;
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
  return Char.opensContainer(character) || character === Char.MINUS || ahead.isQuote(i) || isSimple(ahead, i);
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

/** After a stray word: do more words follow, maybe, and then a key in quotes: `A COMMENT "key":`? */
function isBeforeKey(ahead: Window, start: number): Answer {
  return isFound(keyAfterWords(ahead, start));
}

/** A key in quotes, and its colon, that the schema names. */
export function isKnownKey(ahead: Window, start: number): Answer {
  const end = ahead.endOfString(start);
  if (end < 0) return ahead.unlessMore(false);
  return (
    ahead.hints.knowsKey?.(ahead.text.slice(start + 1, end - 1)) === true && isNext(ahead, end, Char.COLON)
  );
}

/** A key of the object around an array whose closing bracket is missing. */
export function isKeyAround(ahead: Window, quote: number, depth: number): Answer {
  if (ahead.levels.innermost(false, depth) === 0) return false;
  const end = ahead.endOfString(quote);
  if (end < 0) return ahead.unlessMore(false);
  if (ahead.hints.mayBeKeyAround?.(ahead.text.slice(quote + 1, end - 1), true) === false) return false;
  return isNext(ahead, end, Char.COLON);
}

/**
 * The same, of a key without quotes. `[x, y: 1]` has an element in two words, so the object must end before an array does:
 * `{"a": ["x", y: 1}`.
 *
 * @param read the part of the key before this place
 */
export function isBareKeyAround(ahead: Window, start: number, depth: number, read = ""): Answer {
  if (ahead.levels.innermost(false, depth) === 0) return false;
  const colon = endOfWords(ahead, start, Char.DOT);
  if (colon === ahead.end) return ahead.unlessMore(false);
  const key = read + ahead.text.slice(start, colon);
  if (!/^[^\d.]/.test(key) || ahead.at(colon) !== Char.COLON) return false;
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
    else if (isCloser(character) && open-- === 0) return character === Char.CLOSE_BRACE;
    i = ahead.isQuote(i) ? ahead.endOfString(i) : i + 1;
    if (i < 0) break;
  }
  return ahead.unlessMore(false);
}

/** Does a key end before this place: does a colon follow, or a value whose colon is missing? */
export function endsKey(ahead: Window, start: number, mayAdjoin = false): Answer {
  const i = ahead.skipBlank(start);
  if (i < 0) return ahead.atEnd;
  const character = ahead.at(i);
  if (isAnyColon(character)) return true;
  const colon = endOfColon(ahead, i);
  if (colon === undefined) return undefined;
  if (colon !== false) return (mayAdjoin && character === Char.EQUALS) || beginsValue(ahead, colon);
  if (Char.opensContainer(character)) return true;
  // "key""value"
  return ahead.isQuote(i) ? (mayAdjoin || i > start) && isStringValue(ahead, i) : isSimple(ahead, i);
}

/** A string after which an object continues. */
function isStringValue(ahead: Window, start: number): Answer {
  const end = ahead.endOfString(start);
  const i = end < 0 ? end : ahead.skipBlank(end);
  if (i < 0) return ahead.atEnd;
  return isSeparator(ahead.at(i)) || isOtherComma(ahead.at(i)) || ahead.sawLine;
}

/** Does this quote begin the value of a key that has no closing quote? */
export function missesQuoteOfKey(ahead: Window, quote: number): Answer {
  ahead.requireWhole();
  return isStringValue(ahead, quote);
}

/** A string before the end of an object, or a comma and a key in quotes. */
export function isLastValue(ahead: Window, start: number): Answer {
  const end = ahead.endOfString(start);
  const i = end < 0 ? end : ahead.skipBlank(end);
  if (i < 0) return ahead.unlessMore(false);
  return ahead.at(i) === Char.COMMA ? isBeforeKey(ahead, i + 1) : ahead.at(i) === Char.CLOSE_BRACE;
}

/** After a string: does the set end, or does its next string follow? */
export function isElementOfSet(ahead: Window, start: number): Answer {
  const i = ahead.skipBlank(start);
  if (i < 0) return ahead.unlessMore(false);
  if (ahead.at(i) !== Char.COMMA) return ahead.at(i) === Char.CLOSE_BRACE;
  const next = ahead.skipBlank(i + 1);
  const end = next >= 0 && ahead.isQuote(next) ? ahead.endOfString(next) : next;
  if (end < 0) return ahead.unlessMore(false);
  return end > next && isBeforeSeparator(ahead, end);
}

/** After a string: do a comma and a key follow? */
export function isBeforeMember(ahead: Window, start: number): Answer {
  const i = ahead.skipBlank(start);
  const next = i < 0 ? i : ahead.skipBlank(i + 1);
  if (next < 0) return ahead.unlessMore(false);
  return ahead.at(i) === Char.COMMA && isKey(ahead, next, NO_DOUBT);
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

/** Returns the index after the prefix of a string, if there is one: `r'a'`. `undefined`: more text decides. */
export function pastPrefix(ahead: Window, start: number): number | undefined {
  const quote = quoteAfterPrefix(ahead, start);
  return quote === false ? start : quote;
}
