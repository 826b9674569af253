import { CARRIAGE_RETURN, COLON, LINE_FEED } from "../../json/scan/characters.js";
import type { LenientString } from "./open-string.js";
import * as State from "../../json/scan/states.js";
import { isNext } from "../ahead/tokens.js";
import { endsKey, isBeforeMember, isElementOfSet, isLastValue, missesQuoteOfKey } from "../ahead/keys.js";
import type { Answer } from "../ahead/window.js";

/** A quote in a key: the key without the text that follows it, and that text. */
interface QuoteInKey {
  readonly open: LenientString;
  readonly text: string;
  readonly i: number;
  /** The index after the closing quotes. */
  readonly after: number;
  /** Does the quote follow the opening quotes directly? */
  readonly isFirst: boolean;
}

interface MeaningInKey {
  /** `undefined`: more text decides. */
  readonly is: (quote: QuoteInKey) => Answer;
  readonly read: (quote: QuoteInKey) => number;
}

/** The meanings of a quote in a key. The first row that applies decides. */
const meanings: readonly MeaningInKey[] = [
  // {"key"": 1}
  {
    is: ({ open, text, after, isFirst }) =>
      !isFirst &&
      open.closingQuotes.includes(text.charAt(after)) &&
      !mayHaveQuote(open) &&
      isNext(open.document.ahead, after + 1, COLON),
    read: ({ open, after }) => {
      open.report("doubled_quote", after);
      open.end();
      return after + 1;
    },
  },
  // {"key: "value"}
  {
    is: beginsValueOfKey,
    read: ({ open, i }) => {
      open.report("missing_quote", i);
      endUnclosed(open, (unclosedKey(open) as UnclosedKey).key);
      return i;
    },
  },
  // {"key": 1}
  {
    is: ({ open, after }) => endsKey(open.document.ahead, after, !mayHaveQuote(open)),
    read: ({ open, after }) => {
      open.end();
      return after;
    },
  },
  // {""key"": 1}
  { is: ({ isFirst }) => isFirst, read: ({ open, i }) => open.openDoubled(i) },
  // {"key: [1, "b"]}
  {
    is: ({ open }) => beforeQuote.test(unclosedKey(open)?.rest ?? ""),
    read: ({ open, text, i }) => readRest(open, unclosedKey(open) as UnclosedKey, text, i),
  },
  // {"key "value", "b": 1}
  {
    is: ({ open, i, isFirst }) =>
      !isFirst && open.closingQuotes === '"' && !mayHaveQuote(open) && isLastValue(open.document.ahead, i),
    read: ({ open, i }) => {
      open.report("missing_quote", i);
      open.report("missing_colon", i);
      const key = open.token.whole.trimEnd();
      endUnclosed(open, key);
      return i;
    },
  },
  // {"a", "b"} is a set. The object has been shown, so it cannot become a list.
  {
    is: ({ open, after, isFirst }) =>
      !isFirst &&
      open.document.nesting.children === 0 &&
      !mayHaveQuote(open) &&
      isElementOfSet(open.document.ahead, after),
    read: ({ open, after }) => {
      open.end();
      return open.cursor.reject(after);
    },
  },
  // {"a": 1, "b", "c": 2}
  {
    is: ({ open, after }) => isBeforeMember(open.document.ahead, after),
    read: ({ open, after }) => open.cursor.reject(after),
  },
  // {"a "key" b": 1}
  { is: () => true, read: ({ open, text, i }) => open.keepQuote(text, i) },
];

/** At the quote at `i` of the open key, whose part from `start` on is in this chunk. */
export function readQuoteInKey(open: LenientString, text: string, start: number, i: number): number {
  const { cursor } = open;
  open.document.ahead.begin(text, i);
  const after = open.afterQuotes(text, i);
  if (after === undefined || (after === text.length && !cursor.ended)) return cursor.hold(i);
  const quote = { open, text, i, after, isFirst: open.isFirst(start, i) };
  for (const { is, read } of meanings) {
    const answer = is(quote);
    if (answer === undefined) return cursor.hold(i);
    if (answer) return read(quote);
  }
  return i;
}

/** At a control character in the open key. Returns the same index if the key continues. */
export function readLineInKey(open: LenientString, text: string, i: number): number {
  const { cursor } = open;
  const unclosed = unclosedKey(open);
  if (unclosed !== undefined && beforeLine.test(unclosed.rest)) return readRest(open, unclosed, text, i);
  // {"a\n": 1}
  if (breaksLine(open.previous)) return i; // The line break before it was text.
  const bound = i + cursor.lookAhead;
  let end = i;
  while (end < bound && breaksLine(text.charCodeAt(end))) end++;
  if (end === bound) return i;
  if (end === text.length) return cursor.ended ? i : cursor.hold(i);
  if (!open.closingQuotes.includes(text.charAt(end))) return i;
  open.dropSpace(text, i, end);
  return end;
}

function breaksLine(character: number): boolean {
  return character === LINE_FEED || character === CARRIAGE_RETURN;
}

/** The text has ended in a key: `{"a: 1}`. Reads the rest of it again, if that is a value. */
export function readRestAtEnd(open: LenientString): number {
  const { inKey, state } = open.document;
  const unclosed = inKey && State.isInString(state) ? unclosedKey(open) : undefined;
  if (unclosed === undefined || unclosed.rest === "") return 0;
  open.cursor.position.enter("");
  return readRest(open, unclosed, "", 0);
}

/** Has the key a colon of its own, and none after this quote? `{"key:": ","}` is valid. */
function beginsValueOfKey({ open, i, after }: QuoteInKey): Answer {
  const { ahead } = open.document;
  if (unclosedKey(open)?.rest !== "") return false;
  const isClosed = isNext(ahead, after, COLON);
  return isClosed === false ? missesQuoteOfKey(ahead, i) : isClosed && false;
}

/** Is there a quote in the key? A long one is not searched for each of its quotes. */
function mayHaveQuote({ token, cursor }: LenientString): boolean {
  return token.length > cursor.lookAhead || token.whole.includes('"');
}

/** A key without its closing quote, or with one of another kind. */
interface UnclosedKey {
  readonly key: string;
  /** The text after its colon. */
  readonly rest: string;
  /** The length of the text from the key on. */
  readonly length: number;
}

function unclosedKey({ token, cursor, sawEscape }: LenientString): UnclosedKey | undefined {
  if (token.length > cursor.lookAhead || sawEscape) return undefined;
  const [{ length }, key, rest = ""] = keyAndColon.exec(token.whole) ?? [""];
  return key === undefined || rest.includes("\n") ? undefined : { key, rest, length };
}

/** Ends the key, and reads the text after its colon again, up to this place and the rest of the chunk. */
function readRest(open: LenientString, unclosed: UnclosedKey, text: string, i: number): number {
  const { rest, key, length } = unclosed;
  open.report("missing_quote", i - length + key.length);
  endUnclosed(open, key);
  const earlier = rest.slice(0, Math.max(0, rest.length - i));
  return earlier === "" ? i - rest.length : open.cursor.again(earlier, text);
}

function endUnclosed({ document, token }: LenientString, key: string): void {
  token.begin("");
  document.newKey(key);
  document.state = State.VALUE;
}

const keyAndColon = /^([^:"\s'](?:[^:"\n]{0,62}[^:"\s'”’´`])?)['”’´`]?\s*:\s*([^]*)$/;

/** The text between the colon and a quote or line break, if it is JSON. */
const beforeQuote = /^(?:[[{]|-?\d|true|false|null)(?:[^]*[,[{:])?\s*$/;
const beforeLine = /^(?:[[{]|(?:-?\d[\d.eE+-]*|true|false|null)\s*,?\s*$)/;
