/**
 * The repairs where a value begins. In `{"a": ObjectId("1")}` the place is `memberValue` of `between.ts`: at `O`, `call`
 * applies. It opens a group and continues at the quote, so the string is read as usual, and `)` ends the group.
 */

import { newLines } from "../../json/scan/move-position.js";
import * as Char from "../../json/scan/characters.js";
import { isKeyCharacter } from "../../text/around/characters.js";
import { isEndBeforeValue } from "../ahead/fences.js";
import {
  afterConjunction,
  beginsString,
  isOneValue,
  quoteAfterPrefix,
  valueOfCall,
} from "../ahead/tokens.js";
import { isBareKeyAround } from "../ahead/keys.js";
import { isQuote, isStructural } from "../characters.js";
import { beginBareValue, beginKeyAfterArray } from "../words.js";
import { mayBeWord, type RepairBetween } from "./parts.js";

/** `［1］`, `｛"a": 1｝` as a value. The other places treat these brackets as those of JSON. */
export const wideBracket: RepairBetween = {
  on: Char.opensContainer,
  kind: "missing_opening",
  read: ({ document }, i) => {
    document.open(i, document.ahead.at(i) === Char.OPEN_BRACKET);
    return i + 1;
  },
};

/** `'a'` as a value */
export const quotedValue: RepairBetween = {
  on: isQuote,
  is: ({ ahead }, i) => beginsString(ahead, i),
  kind: "quote",
  read: (open, i) => open.beginQuoted(open.document.ahead.text, i, false),
};

/** `r'\d\n'` as a value: each backslash is text */
export const rawString: RepairBetween = {
  on: "bBrR",
  is: ({ ahead }, i) => {
    const quote = quoteAfterPrefix(ahead, i);
    return typeof quote === "number" && !/r/i.test(ahead.text.slice(i, quote)) ? false : quote;
  },
  kind: "quote",
  read: (open, _, quote) => {
    const { ahead } = open.document;
    if (ahead.at(quote) !== Char.QUOTE) open.document.report("quote", quote);
    return open.beginRaw(ahead.text, quote);
  },
};

/** `r'a'`, `u"a"`, as a value or key */
export const prefixedString: RepairBetween = {
  on: "bBrRuU",
  is: ({ ahead }, i) => quoteAfterPrefix(ahead, i),
  kind: "quote",
};

/** `{"a": (1)}`; `(1)` as the whole text is an error */
export const group: RepairBetween = {
  on: "(",
  is: ({ ahead, nesting }, i) => nesting.depth > 0 && isOneValue(ahead, i + 1),
  kind: "parentheses",
  read: ({ document }, i) => {
    document.parentheses.openGroup(document.nesting.depth);
    return i + 1;
  },
};

/** `(1, 2)` */
export const tuple: RepairBetween = {
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
export const call: RepairBetween = {
  on: isKeyCharacter,
  is: ({ ahead }, i) => valueOfCall(ahead, i),
  kind: "call",
  read: ({ document }, i, value) => {
    document.parentheses.openGroup(document.nesting.depth);
    newLines(document.cursor.position, document.ahead.text, i, value);
    return value;
  },
};

/** `hello` as a value */
export const bareValue: RepairBetween = {
  on: (character) => !isStructural(character) && character >= Char.SPACE,
  is: mayBeWord,
  read: ({ document }, i) => beginBareValue(document, i, ""),
};

/** `{"a": }`, `{"a": , "b": 1}`, ```` {"a": ``` ````, `{"a": </answer>` */
export const missingValue: RepairBetween = {
  on: ",}`~<",
  is: ({ ahead }, i, character) =>
    character === Char.COMMA || character === Char.CLOSE_BRACE || isEndBeforeValue(ahead, i),
  kind: "missing_value",
  read: ({ document }, i) => {
    document.leaf(null);
    return i;
  },
};

/** `["a", and "b"]` */
export const conjunction: RepairBetween = {
  on: "ao",
  is: ({ ahead }, i) => afterConjunction(ahead, i),
  kind: "stray_text",
};

/** `{"a": [1, b: 2}` */
export const keyAfterArray: RepairBetween = {
  on: isKeyCharacter,
  is: ({ ahead, nesting }, i) => nesting.children > 0 && isBareKeyAround(ahead, i, nesting.depth),
  read: ({ document }, i) => beginKeyAfterArray(document, i, ""),
};
