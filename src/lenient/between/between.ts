import { isEndBeforeValue, isEndOfDocument } from "../ahead/fences.js";
import { endOfCommentMark, endOfEllipsis } from "../ahead/tokens.js";
import { LOWER_N, LOWER_R, LOWER_T, QUOTE, SPACE } from "../../json/scan/characters.js";
import * as State from "../../json/scan/states.js";
import { isBlank } from "../../text/around/characters.js";
import { isBracket } from "../characters.js";
import type { OpenDocument } from "../document.js";
import type { LenientString } from "../strings/open-string.js";
import { bracketed, citation, missingComma, note, otherComma, strayWords } from "./after-values.js";
import { closers } from "./closers.js";
import {
  bareKey,
  doubledCloser,
  doubledOpening,
  emptyMember,
  missingColon,
  nextObject,
  otherColon,
  quotedKey,
  secondColon,
} from "./members.js";
import { beginComment } from "./comments.js";
import { isFollowed, type RepairBetween } from "./parts.js";
import {
  bareValue,
  call,
  conjunction,
  group,
  keyAfterArray,
  missingValue,
  prefixedString,
  quotedValue,
  rawString,
  tuple,
  wideBracket,
} from "./values.js";

/** `\u00a0`, a byte order mark */
const whiteSpace: RepairBetween = {
  on: (character) => isBlank(character) && (character >= SPACE || character === 0x0b || character === 0x0c),
  kind: "white_space",
};

/** `// one`, `# one`, `/* one` */
const comment: RepairBetween = {
  on: "#/<",
  is: ({ ahead }, i) => endOfCommentMark(ahead, i),
  read: beginComment,
};

/** `{\"a\": 1}`: `escapedReader()` reads it. */
const escapedDocument: RepairBetween = {
  on: "\\",
  is: (document, i) => {
    const mayBegin = document.state === State.FIRST_KEY || document.nesting.depth === 1;
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

/** ```` [ ``` ````, `[</answer>` */
const endInArray: RepairBetween = { ...endOfDocument, is: ({ ahead }, i) => isEndBeforeValue(ahead, i) };

/** `[1, ...]` */
const ellipsis: RepairBetween = {
  on: ".…",
  is: ({ ahead }, i) => endOfEllipsis(ahead, i),
  kind: "ellipsis",
  to: State.AFTER_VALUE,
};

/** `[1,,2]` */
const extraComma: RepairBetween = { on: ",", kind: "extra_comma" };

const ofSpace = [whiteSpace, comment, escapedBracket];
const anywhere = [...ofSpace, escapedSpace];
const value = [wideBracket, quotedValue, rawString, prefixedString, group, tuple, call, bareValue];
const inContainer = [...closers, ellipsis];
const afterPart = [endOfDocument, ...inContainer];

/**
 * The repairs at each place between two tokens, where the text is not JSON. The first one that does not decline reads
 * the text, or waits for more of it. If all decline, the character is an error.
 */
const places = {
  /** the start */
  root: place(anywhere, wideBracket, quotedValue, rawString, prefixedString, group, tuple),
  /** `[` */
  firstElement: place(anywhere, escapedDocument, endInArray, inContainer, extraComma, value),
  /** `[1,` */
  element: place(anywhere, afterPart, extraComma, keyAfterArray, conjunction, value),
  /** `{"a":` */
  memberValue: place(anywhere, missingValue, secondColon, value),
  /** `{` */
  firstKey: place(
    anywhere,
    escapedDocument,
    afterPart,
    extraComma,
    emptyMember,
    quotedKey,
    prefixedString,
    doubledOpening,
    bareKey,
  ),
  /** `{"a": 1,` */
  key: place(anywhere, afterPart, extraComma, quotedKey, prefixedString, nextObject, bareKey),
  /** `{"a"` */
  afterKey: place(anywhere, otherColon, missingColon),
  /** `[1` */
  afterElement: place(anywhere, afterPart, note, citation, otherComma, missingComma),
  /** `{"a": 1` */
  afterMember: place(anywhere, afterPart, nextObject, strayWords, bracketed, otherComma, missingComma),
  /** `{}` */
  done: place(ofSpace, doubledCloser),
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
export function repairBetween(open: LenientString, text: string, i: number): number {
  const { document } = open;
  const { cursor } = document;
  document.ahead.begin(text, i);
  const character = document.ahead.at(i);
  for (const { is, kind, to, read } of repairsFor(placeOf(document), character)) {
    const found = is === undefined || is(document, i, character);
    if (found === undefined) return cursor.hold(i);
    if (found === false) continue;
    if (kind !== undefined) document.report(kind, i);
    if (to !== undefined) document.state = to;
    if (read !== undefined) return read(open, i, Number(found));
    return found === true ? i + 1 : found;
  }
  return cursor.reject(i);
}

function placeOf({ state, nesting }: OpenDocument): Place {
  const { inArray, depth } = nesting;
  switch (state) {
    case State.VALUE:
      return depth === 0 ? places.root : inArray ? places.element : places.memberValue;
    case State.FIRST_ELEMENT:
      return places.firstElement;
    case State.FIRST_KEY:
      return places.firstKey;
    case State.KEY:
      return places.key;
    case State.AFTER_KEY:
      return places.afterKey;
    case State.DONE:
      return places.done;
    default:
      return inArray ? places.afterElement : places.afterMember;
  }
}
