import { newLines } from "../../json/scan/move-position.js";
import { isBlank, isKeyCharacter } from "../../text/around/characters.js";
import { CLOSE_PARENTHESIS, COLON, COMMA, isDigit, QUOTE, SPACE } from "../../json/scan/characters.js";
import { NOTHING, type LenientString } from "./open-string.js";
import { closingQuotesOf, isOtherQuote, pastSpace, startOfSpace } from "../characters.js";
import { isNext, isSeparator, nextPart } from "../ahead/tokens.js";
import { isBeforeStrayWord } from "../ahead/notes.js";
import { isKnownKey } from "../ahead/keys.js";
import { endsValue, isKnownMember, missesQuote } from "../ahead/value-ends.js";
import {
  type Answer,
  type Doubt,
  type FoundAt,
  IN_QUOTATION,
  NO_DOUBT,
  QUOTED_BEFORE,
  type Window,
} from "../ahead/window.js";

/**
 * A quote in a value. In `"one two, "` the part up to `two` was read, `tail` is the index of the comma, and `i` that of
 * the second quote.
 */
interface QuoteInValue {
  readonly open: LenientString;
  readonly ahead: Window;
  readonly text: string;
  /** Where the part of the string in this chunk begins. */
  readonly start: number;
  /** Where the text begins that may come after a missing closing quote (`startOfTail()`). */
  readonly tail: number;
  readonly i: number;
  /** May the text from `tail` on contain control characters? */
  readonly raw: boolean;
  readonly doubt: Doubt;
  /** The character before the quote. */
  readonly left: number;
  /** Is the quote in brackets that an inner quote has opened? */
  readonly inBrackets: boolean;
  /** The index after as many quotes as the string began with. */
  after: number;
}

interface MeaningInValue {
  /** Does the quote mean this? If it does, it may be the index that `read()` needs. `undefined`: more text decides. */
  readonly is: (quote: QuoteInValue) => Answer | FoundAt;
  /** Returns the index where the scan continues. */
  readonly read: (quote: QuoteInValue, found: number) => number;
}

/** The meanings of a quote in a value. The first row that applies decides. */
const meanings: readonly MeaningInValue[] = [
  // "one" + "two": the end of a part
  { is: partAfter, read: joinPart },
  // """one"" two: not all of the closing quotes
  { is: lacksQuotes, read: keepQuote },
  // ["one": 1: the end of a key, which may be where another value may (`mayBeKey`)
  { is: endsKeyHere, read: readKey },
  // "one", "two": the end, by the text that follows (`endsValue()`)
  { is: isEnd, read: endHere },
  // "one"", "two": the end, with a quote too many
  { is: isDoubledEnd, read: endAfterDoubled },
  // "one, "two": the start of the next value or key
  { is: startOfMissed, read: endBeforeTail },
  // "one"two": 3: the start of a key that the schema names
  {
    is: isTornKey,
    read: (quote) => endBeforeTail(quote, startOfSpace(quote.text, quote.tail, quote.i)),
  },
  // ""one": one of the opening quotes
  { is: isOpening, read: ({ open, i }) => open.openDoubled(i) },
  // "one "two" three: part of the text
  { is: () => true, read: keepQuote },
];

/** At the quote at `i` of the open value. The text from `start` up to `tail` was taken. */
export function readQuoteInValue(
  open: LenientString,
  text: string,
  start: number,
  tail: number,
  i: number,
  raw: boolean,
): number {
  const { cursor, doubt, document } = open;
  const { ahead } = document;
  ahead.begin(text, i, doubt, open.closingQuotes);
  ahead.skipsEscapes = ahead.sawEscape || !open.sawEscape;
  const quote: QuoteInValue = {
    open,
    ahead,
    text,
    start,
    tail,
    i,
    raw,
    doubt,
    left: open.characterBefore(text, start, i),
    inBrackets: open.bracketsAfter(text, tail, i) > 0,
    after: i + 1,
  };
  for (const { is, read } of meanings) {
    const found = is(quote);
    if (found === undefined) return cursor.hold(tail);
    if (found !== false) return read(quote, Number(found));
  }
  return i;
}

function partAfter({ open, ahead, i, doubt }: QuoteInValue): FoundAt {
  return doubt === NO_DOUBT && nextPart(ahead, i + 1, open.document);
}

function joinPart({ open, text, tail, i, raw }: QuoteInValue, part: number): number {
  open.take(text, tail, i, raw);
  open.report("concatenation", i);
  newLines(open.cursor.position, text, i, part);
  open.closingQuotes = closingQuotesOf(text.charCodeAt(part));
  open.previous = SPACE;
  return part + 1;
}

function lacksQuotes(quote: QuoteInValue): Answer {
  const { open, ahead, text, i } = quote;
  const after = open.afterQuotes(text, i);
  if (after === undefined) return undefined;
  quote.after = after;
  return open.isTriple && after < i + 3 && closesTriple(ahead, after);
}

/** Is the next run of three quotes the end of a string, and not the start of one: no `:`, `,` or `[` is before it? */
function closesTriple(ahead: Window, start: number): Answer {
  const { text, closingQuotes, end } = ahead;
  const triple = closingQuotes.charAt(0).repeat(3);
  const at = text.slice(start, end).indexOf(triple);
  if (at < 0) return ahead.unlessMore(false);
  return !/[:,[{]\s*$/.test(text.slice(start, start + at));
}

function endsKeyHere({ open, ahead, after }: QuoteInValue): Answer {
  open.mayBeKey &&= open.document.mayBeKey(open.token.whole, true);
  return open.mayBeKey && isNext(ahead, after, COLON);
}

function readKey({ open, i, after }: QuoteInValue): number {
  const { document, token } = open;
  const { nesting } = document;
  const key = token.end();
  const start = i - key.length - 1;
  document.inKey = true;
  if (!nesting.inArray) {
    open.report("missing_value", start);
    document.leaf(null);
  } else if (nesting.children === 0) {
    open.report("missing_opening", start);
    document.open(i, false);
  } else {
    open.report("missing_closer", start);
    document.closeTornArray(i);
  }
  document.newKey(key);
  return after;
}

function isEnd(quote: QuoteInValue): Answer {
  const { open, ahead, text, i, after, doubt, left, inBrackets } = quote;
  if (inBrackets || continuesTriple(quote) || continuesCode(quote)) return false;
  const { depth } = open.document.nesting;
  const ends = endsValue(ahead, after, depth, doubt);
  // "one" two: the quote after a word opens no quotation. But 'the boys' and 5" are part of the text.
  if (ends !== false || doubt !== NO_DOUBT || text.charCodeAt(i) !== QUOTE) return ends;
  if (!(isKeyCharacter(left) || isEndOfSentence(left)) || /(?:^|[^\w])\d+$/.test(open.token.whole.slice(-16)))
    return false;
  return isBeforeStrayWord(ahead, after, depth);
}

/** After three opening quotes, or fewer than three in such a string: does text follow, such as `⏎x = 1`? */
function continuesTriple({ open, ahead, start, i, after }: QuoteInValue): boolean {
  const isThird = open.moreQuotes === 1 && open.isFirst(start, i);
  if (!isThird && !(open.isTriple && after < i + 3)) return false;
  const next = ahead.skipBlank(after);
  if (next < 0) return ahead.isFull;
  if (isThird && ahead.isQuote(next)) return false;
  return !isSeparator(ahead.at(next)) || ahead.at(next) === CLOSE_PARENTHESIS;
}

/** After other quotes: does code follow that looks like JSON, as in `f(a, "b")` or `#include "a.h"⏎#include "b.h"`? */
function continuesCode({ ahead, after, doubt }: QuoteInValue): boolean {
  if (doubt === NO_DOUBT) return false;
  const next = ahead.skipBlank(after);
  if (next >= 0 && ahead.at(next) === CLOSE_PARENTHESIS) return !ahead.parentheses.areOpen;
  // Only a comment may have a quote in it.
  for (let i = next < 0 ? ahead.end : next; --i >= after;) if (ahead.mayClose(i)) return true;
  return false;
}

function isEndOfSentence(character: number): boolean {
  return ".!?%)".includes(String.fromCharCode(character));
}

/** A line feed before the closing quote is not part of the text. */
function endHere({ open, text, tail, i, after, raw }: QuoteInValue): number {
  const space = startOfSpace(text, tail, i);
  const isLine = !open.isTriple && text.slice(space, i).includes("\n");
  open.take(text, tail, isLine ? space : i, raw);
  if (isLine) open.dropSpace(text, space, i);
  open.end();
  return after;
}

/** After a number the first of two quotes means inches. */
function isDoubledEnd({ open, ahead, text, after, doubt, left }: QuoteInValue): Answer {
  if (doubt !== NO_DOUBT || open.moreQuotes > 0 || !open.closingQuotes.includes(text.charAt(after)))
    return false;
  if (after >= text.length || left === NOTHING || isDigit(left)) return false;
  return endsValue(ahead, after + 1, open.document.nesting.depth, QUOTED_BEFORE);
}

function endAfterDoubled({ open, text, tail, i, after, raw }: QuoteInValue): number {
  open.take(text, tail, i, raw);
  open.report("doubled_quote", after);
  open.end();
  return after + 1;
}

/** Returns where the string ended before this quote, which begins the next element or key; `false` if it did not. */
function startOfMissed({ open, ahead, text, tail, i, doubt, inBrackets }: QuoteInValue): FoundAt {
  if (tail === i || inBrackets) return false;
  const { nesting } = open.document;
  let { depth } = nesting;
  let next = isOtherQuote(text.charCodeAt(tail)) ? pastSpace(text, tail + 1) : tail;
  const closes = next < i && closesOther(open, text, tail);
  while (closes && depth > 1 && text.charAt(next) === (nesting.isArray(depth) ? "]" : "}")) {
    depth--;
    next = pastSpace(text, next + 1);
  }
  if (text.charCodeAt(next) !== COMMA) return false;
  const misses = missesQuote(ahead, i, depth, doubt);
  return misses === true ? (closes ? tail : next) : misses;
}

function isTornKey({ open, ahead, i, doubt, left, inBrackets }: QuoteInValue): Answer {
  const { nesting } = open.document;
  if (
    left === NOTHING ||
    inBrackets ||
    doubt === IN_QUOTATION ||
    open.closingQuotes !== '"' ||
    nesting.inArray
  )
    return false;
  if (isBlank(left)) return isKnownMember(ahead, i, nesting.depth);
  return (isKeyCharacter(left) || isEndOfSentence(left)) && isKnownKey(ahead, i);
}

function endBeforeTail({ open, text, tail, raw }: QuoteInValue, missed: number): number {
  open.take(text, tail, missed, raw);
  return endAt(open, text, missed);
}

/**
 * In `""one" two"` the quote is part of the text, because the string continues after the next one. It is not in `""one""`,
 * in `""one", "two"`, and where the next quote opens a quotation: `""one "two" three""`.
 */
function isOpening({ open, ahead, start, i }: QuoteInValue): Answer {
  if (!open.isFirst(start, i)) return false;
  if (open.moreQuotes > 0 || ahead.mayClose(i + 1)) return true;
  const next = ahead.endOfString(i);
  if (next < 0 || next === ahead.end) return ahead.unlessMore(true);
  if (ahead.opensQuotation(next - 1) || ahead.mayClose(next)) return true;
  return endsValue(ahead, next, open.document.nesting.depth, IN_QUOTATION);
}

function keepQuote({ open, text, tail, i, left, raw }: QuoteInValue): number {
  open.take(text, tail, i, raw);
  return open.keepInnerQuote(text, i, left);
}

/** The string ends before this place, where its closing quote is missing or another quote. */
function endAt(open: LenientString, text: string, i: number): number {
  if (isOtherQuote(text.charCodeAt(i))) {
    open.report("quote", i);
    open.end();
    return i + 1;
  }
  open.report("missing_quote", i);
  open.endWithoutSpaces();
  return i;
}

/** Does the quote at the start of the tail close the string: is it the only one of its kind in it? */
function closesOther(
  { closingQuotes, innerQuotes, token }: LenientString,
  text: string,
  tail: number,
): boolean {
  if (!isOtherQuote(text.charCodeAt(tail)) || closingQuotes !== '"' || innerQuotes > 0) return false;
  return !token.whole.includes(text.charAt(tail));
}

/** The text has ended with a tail. Takes it, or ends the string before the brackets in it. */
export function endAtTail(open: LenientString, text: string, tail: number, raw: boolean): number {
  const brackets = open.cursor.truncated ? -1 : startOfClosers(open, text, tail);
  open.take(text, tail, brackets < 0 ? text.length : brackets, raw);
  return brackets < 0 ? text.length : endAt(open, text, brackets);
}

/**
 * Returns where the brackets at the end of the text begin, which close all open containers, maybe before a fence:
 * `{"a": "b}`. -1 if another element or key, or the end of a quotation, may be in the string.
 */
function startOfClosers(open: LenientString, text: string, tail: number): number {
  const { nesting } = open.document;
  const may = nesting.inArray ? /,/ : /[,}]\s*"?[\w$-]+"?\s*:/;
  if (open.innerQuotes % 2 === 1 || may.test(open.token.whole)) return -1;
  const rest = text.slice(tail).replace(/\s*`{3}\s*$/, "");
  let i = rest.length;
  for (let depth = 1; depth <= nesting.depth; depth++) {
    i = rest.slice(0, i).trimEnd().length - 1;
    if (rest.charAt(i) !== (nesting.isArray(depth) ? "]" : "}")) return -1;
  }
  const before = rest.slice(0, i).trimEnd();
  if (before.length === 1 && closesOther(open, text, tail)) return tail;
  return /^['’”]?[)\s]*$/.test(before) ? tail + before.length : -1;
}

/** A string that is the whole document ends with the text. */
export function readQuoteOfRoot(open: LenientString, text: string, i: number): number {
  const { cursor } = open;
  const after = pastSpace(text, i + 1);
  if (after - i < cursor.lookAhead) {
    if (after < text.length) return open.keepQuote(text, i);
    if (!cursor.ended) return cursor.hold(i);
  }
  open.end();
  return i + 1;
}
