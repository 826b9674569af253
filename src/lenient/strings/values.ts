import { newLines } from "../../json/scan/move-position.js";
import { isKeyCharacter } from "../../text/around/characters.js";
import { COLON, COMMA, isDigit, QUOTE, SPACE } from "../../json/scan/characters.js";
import { mayBeKeyText, NOTHING, type LenientString } from "./open-string.js";
import { closingQuotes, isOtherQuote, pastSpace, startOfSpace } from "../characters.js";
import { isNext, nextPart } from "../ahead/tokens.js";
import { endsValue, isBeforeStrayWord, missesQuote } from "../ahead/values.js";
import {
  type Answer,
  type Doubt,
  type FoundAt,
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
  { is: hasAllQuotes, read: ({ i }) => i },
  // ["one": 1: the end of a key whose object has no bracket
  { is: isKeyOfElement, read: openObject },
  // "one", "two": the end, by the text that follows (`endsValue()`)
  { is: isEnd, read: endHere },
  // "one"", "two": the end, with a quote too many
  { is: isDoubledEnd, read: endAfterDoubled },
  // "one, "two": the start of the next value or key
  { is: startOfMissed, read: endBeforeTail },
  // ""one": one of the opening quotes
  { is: ({ open, start, i }) => open.isFirst(start, i), read: ({ open, i }) => open.openDoubled(i) },
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
  ahead.begin(text, i, cursor.ended, doubt);
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
  open.closers = closingQuotes(text.charAt(part));
  open.previous = SPACE;
  return part + 1;
}

function hasAllQuotes(quote: QuoteInValue): Answer {
  const after = quote.open.afterQuotes(quote.text, quote.i);
  if (after === undefined) return undefined;
  quote.after = after;
  return false;
}

function isKeyOfElement({ open, ahead, after }: QuoteInValue): Answer {
  open.mayBeKey &&= mayBeKeyText(open.token.whole);
  return open.mayBeKey && isNext(ahead, after, COLON);
}

function openObject({ open, i, after }: QuoteInValue): number {
  const { document, token } = open;
  const key = token.end();
  document.inKey = true;
  open.report("missing_opening", i - key.length - 1);
  document.open(i, false);
  document.newKey(key);
  return after;
}

function isEnd({ open, ahead, text, i, after, doubt, left, inBrackets }: QuoteInValue): Answer {
  if (inBrackets) return false;
  const { depth } = open.document.nesting;
  const ends = endsValue(ahead, after, depth, doubt);
  // "one" two: the quote after a letter opens no quotation. But 'the boys' and 5" are part of the text.
  if (ends !== false || doubt !== NO_DOUBT || text.charCodeAt(i) !== QUOTE) return ends;
  if (!isKeyCharacter(left) || /(?:^|[^\w])\d+$/.test(open.token.whole.slice(-16))) return false;
  return isBeforeStrayWord(ahead, after, depth);
}

/** A line feed before the closing quote is not part of the text. */
function endHere({ open, text, tail, i, after, raw }: QuoteInValue): number {
  const space = startOfSpace(text, tail, i);
  const isLine = text.slice(space, i).includes("\n");
  open.take(text, tail, isLine ? space : i, raw);
  if (isLine) open.dropSpace(text, space, i);
  open.end();
  return after;
}

/** After a number the first of two quotes means inches. */
function isDoubledEnd({ open, ahead, text, after, doubt, left }: QuoteInValue): Answer {
  if (doubt !== NO_DOUBT || open.moreQuotes > 0 || !open.closers.includes(text.charAt(after))) return false;
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

function endBeforeTail({ open, text, tail, raw }: QuoteInValue, missed: number): number {
  open.take(text, tail, missed, raw);
  return endAt(open, text, missed);
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
function closesOther({ closers, innerQuotes, token }: LenientString, text: string, tail: number): boolean {
  if (!isOtherQuote(text.charCodeAt(tail)) || closers !== '"' || innerQuotes > 0) return false;
  return !token.whole.includes(text.charAt(tail));
}

/** The text has ended with a tail. Takes it, or ends the string before the brackets in it. */
export function endAtTail(
  open: LenientString,
  text: string,
  tail: number,
  raw: boolean,
  truncated: boolean,
): number {
  const closers = truncated ? -1 : startOfClosers(open, text, tail);
  open.take(text, tail, closers < 0 ? text.length : closers, raw);
  return closers < 0 ? text.length : endAt(open, text, closers);
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
