import { isEndOfDocument, isLastFence } from "../ahead/fences.js";
import { Kind } from "../../json/build/kinds.js";
import { newLines } from "../../json/scan/move-position.js";
import { isBlank, isKeyCharacter } from "../../text/around/characters.js";
import {
  characterAt,
  CLOSE_BRACE,
  isDigit,
  LOWER_N,
  LOWER_R,
  LOWER_T,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from "../../json/scan/characters.js";
import { closingQuotes, isCloser, isOpener, isOtherComma, isStructural } from "../characters.js";
import { closers } from "./closers.js";
import type { OpenDocument } from "../document.js";
import { type Parts, type RepairBetween, skip } from "./parts.js";
import {
  AFTER_KEY,
  DONE,
  FIRST_ELEMENT,
  FIRST_KEY,
  KEY,
  VALUE,
  AFTER_VALUE,
} from "../../json/scan/states.js";
import {
  beginsString,
  commentMark,
  endOfColon,
  endOfEllipsis,
  isNext,
  isOneValue,
  quoteAfterPrefix,
  valueOfCall,
} from "../ahead/tokens.js";
import { afterConjunction, isBareKeyAround } from "../ahead/value-ends.js";
import { beginsNote, endOfBracketed, endOfCitation, endOfNote } from "../ahead/notes.js";
import type { Answer } from "../ahead/window.js";

/** `\u00a0`, a byte order mark */
const whiteSpace: RepairBetween = {
  on: (character) => isBlank(character) && (character >= SPACE || character === 0x0b || character === 0x0c),
  kind: "white_space",
  read: skip,
};

/** `// one`, `# one`, `/* one` */
const comment: RepairBetween = {
  on: "#/<",
  is: ({ ahead }, i) => {
    const mark = commentMark(ahead, i);
    return mark === undefined ? undefined : mark !== "";
  },
  read: ({ comments }, i) => comments.begin(i),
};

/** `{\"a\": 1}`: `Escaped` reads it. */
const escapedDocument: RepairBetween = {
  on: "\\",
  is: (document, i) => {
    const mayBegin = document.state === FIRST_KEY || document.nesting.depth === 1;
    return mayBegin && !document.sawKey && isFollowed(document, i, (next) => next === QUOTE);
  },
  kind: "escaped_document",
  read: ({ document }, i) => {
    document.isEscaped = true;
    return document.cursor.hold(i);
  },
};

/** `\[{"a": 1}\]`, as in Markdown */
const escapedBracket: RepairBetween = {
  on: "\\",
  is: (document, i) => isFollowed(document, i, (next) => isBracket(next)),
  kind: "escape",
  read: skip,
};

/** `\n`, `\r` and `\t` in two characters */
const escapedSpace: RepairBetween = {
  on: "\\",
  is: (document, i) =>
    isFollowed(document, i, (next) => next === LOWER_N || next === LOWER_R || next === LOWER_T),
  kind: "white_space",
  read: ({ document }, i) => {
    document.ahead.sawEscape = true;
    return i + 2;
  },
};

/** ```` [1, 2 ``` ````: a fence or tag ends the document. */
const endOfDocument: RepairBetween = {
  on: "`~<",
  is: ({ ahead }, i) => isEndOfDocument(ahead, i),
  kind: "missing_closer",
  read: ({ document }, i) => {
    document.closeTo(0, i);
    return i;
  },
};

/** `[1, ...]` */
const ellipsis: RepairBetween = {
  on: ".…",
  is: ({ ahead }, i) => endOfEllipsis(ahead, i),
  kind: "ellipsis",
  read: ({ document }, _, end) => {
    document.state = AFTER_VALUE;
    return end;
  },
};

/** `[1,,2]` */
const extraComma: RepairBetween = { on: ",", kind: "extra_comma", read: skip };

/** `{"a": }`, `{"a": , "b": 1}`, ```` {"a": ``` ```` */
const missingValue: RepairBetween = {
  on: ",}`",
  is: ({ ahead }, i) => !ahead.isQuote(i) || isLastFence(ahead, i),
  kind: "missing_value",
  read: ({ document }, i) => {
    document.leaf(null);
    return i;
  },
};

/** `'a'` as a value */
const quotedValue: RepairBetween = {
  on: isQuote,
  is: ({ ahead }, i) => beginsString(ahead, i),
  kind: "quote",
  read: ({ open, document }, i) => open.beginQuoted(document.ahead.text, i, false),
};

/** `［1］`, `｛"a": 1｝` as a value. The other places treat these brackets as those of JSON. */
const wideBracket: RepairBetween = {
  on: isOpeningOfJson,
  kind: "missing_opening",
  read: ({ document }, i) => {
    document.open(i, document.ahead.at(i) === OPEN_BRACKET);
    return i + 1;
  },
};

/** `r'\d\n'` as a value: each backslash is text */
const rawString: RepairBetween = {
  on: "bBrR",
  is: ({ ahead }, i) => {
    const quote = quoteAfterPrefix(ahead, i);
    return typeof quote === "number" && !/r/i.test(ahead.text.slice(i, quote)) ? false : quote;
  },
  kind: "quote",
  read: ({ open, document }, _, quote) => {
    const { text } = document.ahead;
    if (document.ahead.at(quote) !== QUOTE) document.report("quote", quote);
    return open.beginRaw(text, quote);
  },
};

/** `r'a'`, `u"a"`, as a value or key */
const prefixedString: RepairBetween = {
  on: "bBrRuU",
  is: ({ ahead }, i) => quoteAfterPrefix(ahead, i),
  kind: "quote",
  read: (_, __, quote) => quote,
};

/** `{"a": (1)}`; `(1)` as the whole text is an error */
const group: RepairBetween = {
  on: "(",
  is: ({ ahead, nesting }, i) => nesting.depth > 0 && isOneValue(ahead, i + 1),
  kind: "parentheses",
  read: ({ document }, i) => {
    document.parentheses.openGroup(document.nesting.depth);
    return i + 1;
  },
};

/** `(1, 2)` */
const tuple: RepairBetween = {
  on: "(",
  is: ({ ahead }, i) => {
    const isOne = isOneValue(ahead, i + 1);
    return isOne === undefined ? undefined : !isOne;
  },
  kind: "parentheses",
  read: ({ document }, i) => {
    document.open(i, true);
    document.parentheses.openTuple(document.nesting.depth);
    return i + 1;
  },
};

/** `ObjectId("1")`, read as `"1")` in a group */
const call: RepairBetween = {
  on: isKeyCharacter,
  is: ({ ahead }, i) => valueOfCall(ahead, i),
  kind: "call",
  read: ({ document }, i, value) => {
    document.parentheses.openGroup(document.nesting.depth);
    newLines(document.cursor.position, document.ahead.text, i, value);
    return value;
  },
};

/** `["a", and "b"]` */
const conjunction: RepairBetween = {
  on: "ao",
  is: ({ ahead }, i) => afterConjunction(ahead, i),
  kind: "stray_text",
  read: (_, __, value) => value,
};

/** `{"a": [1, b: 2}` */
const keyAfterArray: RepairBetween = {
  on: isKeyCharacter,
  is: ({ ahead, nesting }, i) => nesting.children > 0 && isBareKeyAround(ahead, i, nesting.depth),
  read: ({ words }, i) => words.beginKeyAfterArray(i, ""),
};

/** `hello` as a value */
const bareValue: RepairBetween = {
  on: (character) => !isStructural(character) && character >= SPACE,
  read: ({ words }, i) => words.beginValue(i, ""),
};

/** `{: }` */
const emptyMember: RepairBetween = {
  on: ":",
  is: ({ ahead }, i) => isNext(ahead, i + 1, CLOSE_BRACE),
  kind: "missing_value",
  read: skip,
};

/** `'a'` as a key */
const quotedKey: RepairBetween = {
  on: isQuote,
  is: ({ ahead }, i) => beginsString(ahead, i),
  read: ({ document, open }, i) => {
    document.checkKeys(i);
    document.report("quote", i);
    return open.beginQuoted(document.ahead.text, i, true);
  },
};

/** `{{"a": 1}}`; nothing is reported at the doubled closing bracket. */
const doubledOpening: RepairBetween = {
  on: "{",
  kind: "doubled_opening",
  read: ({ document }, i) => {
    document.doubled++;
    return i + 1;
  },
};
const doubledCloser: RepairBetween = {
  on: "}",
  is: ({ doubled }) => doubled > 0,
  read: ({ document }, i) => {
    document.doubled--;
    return i + 1;
  },
};

/** `[{"a": 1, {"b": 2}]`: an object inside an object of a list, because the one before was not closed */
const nextObject: RepairBetween = {
  on: "{",
  is: ({ nesting }) => nesting.depth > 1 && nesting.isArray(nesting.depth - 1),
  kind: "missing_closer",
  read: ({ document }, i) => {
    document.closeTo(document.nesting.depth - 1, i);
    return i;
  },
};

/** `{a: 1}` */
const bareKey: RepairBetween = {
  on: (character) => !isStructural(character),
  read: ({ document, words }, i) => {
    document.checkKeys(i);
    return words.beginKey(i);
  },
};

/** `{"a" = 1}`, `{"a" => 1}`, `{"a"：1}`, `{"a" -> 1}` */
const otherColon: RepairBetween = {
  on: "=-→：＝",
  is: ({ ahead }, i) => endOfColon(ahead, i),
  kind: "missing_colon",
  read: ({ document }, _, end) => {
    document.state = VALUE;
    return end;
  },
};

/** `{"a":: 1}`, `{"a" := 1}` */
const secondColon: RepairBetween = {
  on: ":=",
  is: (document, i) => isFollowed(document, i, (next) => next === SPACE || next === QUOTE),
  kind: "missing_colon",
  read: skip,
};

/** `{"a" 1}`; after a key without quotes, only a value that is no word */
const missingColon: RepairBetween = {
  on: (character) => isQuote(character) || isKeyCharacter(character) || isOpeningOfJson(character),
  is: ({ bareKey }, _, character) =>
    !bareKey || isQuote(character) || isOpeningOfJson(character) || isDigit(character) || character === MINUS,
  kind: "missing_colon",
  read: ({ document }, i) => {
    document.state = VALUE;
    return i;
  },
};

/** `{"a": 1 and more}`, `{"a": "b" (c), "d": 1}` */
const strayWords: RepairBetween = {
  on: (character) => isKeyCharacter(character) || "(–—".includes(String.fromCharCode(character)),
  is: ({ ahead, nesting }, i) => endOfNote(ahead, i, nesting.depth),
  kind: "stray_text",
  read: (_, __, end) => end,
};

/** `{"a": "b" [sic], "c": "d" [1]}` */
const bracketed: RepairBetween = {
  ...strayWords,
  on: "[【",
  is: ({ ahead, nesting, afterContainer }, i) => endOfBracketed(ahead, i, nesting.depth, !afterContainer),
};

/** `["a" 【1】]`; also `["a" [1]]`, where the schema allows no array as an element */
const citation: RepairBetween = {
  ...strayWords,
  on: "[【",
  is: ({ ahead, listener, nesting }, i, character) =>
    (character !== OPEN_BRACKET || listener.allowsElement?.(Kind.ARRAY) === false) &&
    endOfCitation(ahead, i, nesting.depth),
};

/** `["a" (b), "c" - d]` */
const note: RepairBetween = {
  ...strayWords,
  on: "(-–—",
  is: ({ ahead, nesting }, i) => {
    const begins = beginsNote(ahead, i);
    return begins && endOfNote(ahead, i, nesting.depth);
  },
};

/** `[1; 2]`, `{"a": 1，"b": 2}` */
const otherComma: RepairBetween = {
  on: isOtherComma,
  kind: "missing_comma",
  read: ({ document }, i) => {
    document.state = document.nesting.inArray ? VALUE : KEY;
    return i + 1;
  },
};

/** `[1 2]` and `[1 [2]]` */
const missingComma: RepairBetween = {
  on: (character) => !isStructural(character) || isOpeningOfJson(character),
  is: ({ nesting }, _, character) => nesting.inArray || !isStructural(character),
  kind: "missing_comma",
  read: ({ document }, i) => {
    document.state = document.nesting.inArray ? VALUE : KEY;
    return i;
  },
};

const anywhere = [whiteSpace, comment, escapedBracket];
const value = [wideBracket, quotedValue, rawString, prefixedString, group, tuple, call, bareValue];
const inContainer = [...closers, ellipsis];

/**
 * The repairs at each place between two tokens, where the text is not JSON. The first one that does not decline reads
 * the text, or waits for more of it. If all decline, the character is an error.
 */
const places = {
  /** the start */
  root: place(anywhere, escapedSpace, wideBracket, quotedValue, rawString, prefixedString, group, tuple),
  /** `[` */
  firstElement: place(anywhere, escapedDocument, escapedSpace, inContainer, extraComma, value),
  /** `[1,` */
  element: place(
    anywhere,
    escapedSpace,
    endOfDocument,
    inContainer,
    extraComma,
    keyAfterArray,
    conjunction,
    value,
  ),
  /** `{"a":` */
  memberValue: place(anywhere, escapedSpace, missingValue, secondColon, value),
  /** `{` */
  firstKey: place(
    anywhere,
    escapedDocument,
    escapedSpace,
    inContainer,
    extraComma,
    emptyMember,
    quotedKey,
    prefixedString,
    doubledOpening,
    bareKey,
  ),
  /** `{"a": 1,` */
  key: place(
    anywhere,
    escapedSpace,
    endOfDocument,
    inContainer,
    extraComma,
    quotedKey,
    prefixedString,
    nextObject,
    bareKey,
  ),
  /** `{"a"` */
  afterKey: place(anywhere, escapedSpace, otherColon, missingColon),
  /** `[1` */
  afterElement: place(
    anywhere,
    escapedSpace,
    endOfDocument,
    inContainer,
    note,
    citation,
    otherComma,
    missingComma,
  ),
  /** `{"a": 1` */
  afterMember: place(
    anywhere,
    escapedSpace,
    endOfDocument,
    inContainer,
    nextObject,
    strayWords,
    bracketed,
    otherComma,
    missingComma,
  ),
  /** `{}` */
  done: place(anywhere, doubledCloser),
};

/** The repairs of a place, and for each character those of them that it may begin. */
interface Place {
  readonly repairs: readonly RepairBetween[];
  readonly byCharacter: Map<number, readonly RepairBetween[]>;
}

function place(...repairs: readonly (RepairBetween | readonly RepairBetween[])[]): Place {
  return { repairs: repairs.flat(), byCharacter: new Map() };
}

function repairsFor({ repairs, byCharacter }: Place, character: number): readonly RepairBetween[] {
  let found = byCharacter.get(character);
  if (found === undefined) {
    found = repairs.filter(({ on }) =>
      typeof on === "string" ? on.includes(String.fromCharCode(character)) : on(character),
    );
    if (character < 0x80) byCharacter.set(character, found);
  }
  return found;
}

/** Reads text between tokens that is not JSON. Returns the index where the scan continues, HOLD or FAILS. */
export function repairBetween(parts: Parts, text: string, i: number): number {
  const { document } = parts;
  const { cursor } = document;
  document.ahead.begin(text, i, cursor.ended);
  const character = document.ahead.at(i);
  for (const { is, kind, read } of repairsFor(placeOf(document), character)) {
    const found = is === undefined || is(document, i, character);
    if (found === undefined) return cursor.hold(i);
    if (found === false) continue;
    if (kind !== undefined) document.report(kind, i);
    return read(parts, i, Number(found));
  }
  return cursor.reject(i);
}

function placeOf({ state, nesting }: OpenDocument): Place {
  const { inArray, depth } = nesting;
  switch (state) {
    case VALUE:
      return depth === 0 ? places.root : inArray ? places.element : places.memberValue;
    case FIRST_ELEMENT:
      return places.firstElement;
    case FIRST_KEY:
      return places.firstKey;
    case KEY:
      return places.key;
    case AFTER_KEY:
      return places.afterKey;
    case DONE:
      return places.done;
    default:
      return inArray ? places.afterElement : places.afterMember;
  }
}

function isQuote(character: number): boolean {
  return closingQuotes(character) !== "";
}

function isBracket(character: number): boolean {
  return isStructural(character) && (isOpener(character) || isCloser(character));
}

function isOpeningOfJson(character: number): boolean {
  return character === OPEN_BRACE || character === OPEN_BRACKET;
}

/** Is the next character one of these? `undefined` if it is not known yet. */
function isFollowed({ ahead, cursor }: OpenDocument, i: number, by: (next: number) => boolean): Answer {
  const next = characterAt(ahead.text, i + 1);
  return next < 0 && !cursor.ended ? undefined : by(next);
}
