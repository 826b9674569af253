/**
 * The repairs after a value: words, notes and citations, which are skipped, and commas. In `["a" (b), "c" "d"]` the place
 * is `afterElement` of `between.ts`: at `(`, `note` applies up to the comma, and at the quote of `d`, `missingComma`.
 */

import * as Kind from "../../json/build/kind.js";
import { OPEN_BRACKET, opensContainer } from "../../json/scan/characters.js";
import { isKeyCharacter } from "../../text/around/characters.js";
import { beginsNote, endOfBracketed, endOfCitation, endOfNote } from "../ahead/notes.js";
import { isOtherComma, isStructural } from "../characters.js";
import type { RepairBetween } from "./parts.js";

/** `{"a": 1 and more}`, `{"a": "b" (c), "d": 1}` */
export const strayWords: RepairBetween = {
  on: (character) => isKeyCharacter(character) || "(–—".includes(String.fromCharCode(character)),
  is: ({ ahead, nesting }, i) => endOfNote(ahead, i, nesting.depth),
  kind: "stray_text",
};

/** `{"a": "b" [sic], "c": "d" [1]}` */
export const bracketed: RepairBetween = {
  ...strayWords,
  on: "[【",
  is: ({ ahead, nesting, afterContainer }, i) => endOfBracketed(ahead, i, nesting.depth, !afterContainer),
};

/** `["a" 【1】]`; also `["a" [1]]`, where the schema allows no array as an element */
export const citation: RepairBetween = {
  ...strayWords,
  on: "[【",
  is: ({ ahead, listener, nesting }, i, character) =>
    (character !== OPEN_BRACKET || listener.allowsElement?.(Kind.ARRAY) === false) &&
    endOfCitation(ahead, i, nesting.depth),
};

/** `["a" (b), "c" - d]` */
export const note: RepairBetween = {
  ...strayWords,
  on: "(-–—",
  is: ({ ahead, nesting }, i) => {
    const begins = beginsNote(ahead, i);
    return begins && endOfNote(ahead, i, nesting.depth);
  },
};

/** `[1; 2]`, `{"a": 1，"b": 2}` */
export const otherComma: RepairBetween = {
  on: isOtherComma,
  kind: "missing_comma",
  read: ({ document }, i) => {
    document.afterComma();
    return i + 1;
  },
};

/** `[1 2]` and `[1 [2]]` */
export const missingComma: RepairBetween = {
  on: (character) => !isStructural(character) || opensContainer(character),
  is: ({ nesting }, _, character) => nesting.inArray || !isStructural(character),
  kind: "missing_comma",
  read: ({ document }, i) => {
    document.afterComma();
    return i;
  },
};
