/**
 * The repairs of a member before its value: its key and colon. In `{a = 1}` the place is `firstKey` of `between.ts`: at
 * `a`, `bareKey` applies. After the key it is `afterKey`: at `=`, `otherColon` applies.
 */

import { CLOSE_BRACE, isDigit, MINUS, opensContainer, QUOTE, SPACE } from "../../json/scan/characters.js";
import * as State from "../../json/scan/states.js";
import { isKeyCharacter } from "../../text/around/characters.js";
import { beginsString, endOfColon, isNext } from "../ahead/tokens.js";
import { isQuote } from "../characters.js";
import { beginBareKey, endsBareKey } from "../words.js";
import { isFollowed, mayBeWord, type RepairBetween } from "./parts.js";

/** `{: }` */
export const emptyMember: RepairBetween = {
  on: ":",
  is: ({ ahead }, i) => isNext(ahead, i + 1, CLOSE_BRACE),
  kind: "missing_value",
};

/** `'a'` as a key */
export const quotedKey: RepairBetween = {
  on: isQuote,
  is: ({ ahead }, i) => beginsString(ahead, i),
  read: (open, i) => {
    open.document.checkKeys(i);
    open.document.report("quote", i);
    return open.beginQuoted(open.document.ahead.text, i, true);
  },
};

/** `{{"a": 1}}`; nothing is reported at the doubled closing bracket. */
export const doubledOpening: RepairBetween = {
  on: "{",
  kind: "doubled_opening",
  read: ({ document }, i) => {
    document.doubled++;
    return i + 1;
  },
};

export const doubledCloser: RepairBetween = {
  on: "}",
  is: ({ doubled }) => doubled > 0,
  read: ({ document }, i) => {
    document.doubled--;
    return i + 1;
  },
};

/** `[{"a": 1, {"b": 2}]`: an object inside an object of a list, because the one before was not closed */
export const nextObject: RepairBetween = {
  on: "{",
  is: ({ nesting }) => nesting.depth > 1 && nesting.isArray(nesting.depth - 1),
  kind: "missing_closer",
  read: ({ document }, i) => {
    document.closeTo(document.nesting.depth - 1, i);
    return i;
  },
};

/** `{a: 1}`, but not `{= 1}` */
export const bareKey: RepairBetween = {
  on: (character) => !endsBareKey(character),
  is: mayBeWord,
  read: ({ document }, i) => beginBareKey(document, i),
};

/** `{"a" = 1}`, `{"a" => 1}`, `{"a"：1}`, `{"a" -> 1}` */
export const otherColon: RepairBetween = {
  on: "=-→：＝",
  is: ({ ahead }, i) => endOfColon(ahead, i),
  kind: "missing_colon",
  to: State.VALUE,
};

/** `{"a":: 1}`, `{"a" := 1}` */
export const secondColon: RepairBetween = {
  on: ":=",
  is: (document, i) => isFollowed(document, i, (next) => next === SPACE || next === QUOTE),
  kind: "missing_colon",
};

/** `{"a" 1}`; after a key without quotes, only a value that is no word */
export const missingColon: RepairBetween = {
  on: (character) => isQuote(character) || isKeyCharacter(character) || opensContainer(character),
  is: ({ bareKey }, _, character) =>
    !bareKey || isQuote(character) || opensContainer(character) || isDigit(character) || character === MINUS,
  kind: "missing_colon",
  to: State.VALUE,
  read: (_, i) => i,
};
