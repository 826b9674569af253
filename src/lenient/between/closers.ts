import { CLOSE_BRACE, CLOSE_BRACKET, CLOSE_PARENTHESIS } from "../../json/scan/characters.js";
import { WIDE_BRACKET } from "../characters.js";
import type { OpenDocument } from "../document.js";
import type { RepairBetween } from "./parts.js";
import { isExtraCloser } from "./wrong-closers.js";
import type { LenientString } from "../strings/open-string.js";
import * as State from "../../json/scan/states.js";
import { continuesArray, continuesObject } from "../ahead/value-ends.js";
import type { Answer } from "../ahead/window.js";

/** Closing brackets that JSON does not allow where they are. The first row that applies reads one. */
const rows: readonly Omit<RepairBetween, "on">[] = [
  // {"a": (1)}: the end of a group
  {
    is: ({ state, inGroup }, _, character) =>
      character === CLOSE_PARENTHESIS && state === State.AFTER_VALUE && inGroup,
    read: ({ document }, i) => {
      document.parentheses.closeGroup();
      return i + 1;
    },
  },
  // [1, ] and (1, 2): of the open container
  {
    is: (document, _, character) => closedBy(document, character) === document.nesting.depth,
    read: closeInnermost,
  },
  // {"a": [1, "b": 2]}: the key ended the array, or an object lacks its brackets
  {
    is: ({ nesting, torn }, _, character) => character === CLOSE_BRACKET && torn === nesting.depth,
    read: ({ document }, i) => document.cursor.reject(i),
  },
  // {"a": [1}: of a container around it, or meant for the open one
  { is: (document, _, character) => closedBy(document, character) > 0, read: closeOuter },
  // [{"a": 1}}, 2]: one too many
  { is: (document, i) => isExtraCloser(document, i) && !document.cursor.ended, kind: "extra_closer" },
  // [1}
  { kind: "wrong_closer", read: closeInner },
];
export const closers: readonly RepairBetween[] = rows.map((row) => ({ ...row, on: "}])" }));

/** Returns the depth of the innermost container that the bracket can close; 0 without one. */
function closedBy({ levels, nesting }: OpenDocument, character: number): number {
  return levels.innermost(character !== CLOSE_BRACE, nesting.depth);
}

function closeInnermost(open: LenientString, i: number): number {
  const { document } = open;
  const { depth, inArray } = document.nesting;
  if (document.state === State.VALUE || document.state === State.KEY) document.report("trailing_comma", i);
  const character = document.ahead.text.charCodeAt(i);
  const isParenthesis = character === CLOSE_PARENTHESIS;
  if (inArray && document.parentheses.isTuple(depth) !== isParenthesis) document.report("wrong_closer", i);
  else if (character >= WIDE_BRACKET) document.report("missing_closer", i);
  return closeInner(open, i);
}

/** `{"a": [1}, "b": 2}`: the text continues around the open container, so the bracket is meant for that. */
function isMeantForInnermost({ nesting, levels, ahead }: OpenDocument, i: number, closed: number): Answer {
  const around = nesting.depth - 1;
  return closed === 1 && levels.isArray(around)
    ? continuesArray(ahead, i + 1, around)
    : continuesObject(ahead, i + 1, closed - 1, around);
}

function closeOuter(open: LenientString, i: number): number {
  const { document } = open;
  const closed = closedBy(document, document.ahead.at(i));
  const isMeant = isMeantForInnermost(document, i, closed);
  if (isMeant === undefined) return document.cursor.hold(i);
  document.report(isMeant ? "wrong_closer" : "missing_closer", i);
  document.closeTo(isMeant ? document.nesting.depth - 1 : closed - 1, i);
  return i + 1;
}

function closeInner({ document }: LenientString, i: number): number {
  document.closeTo(document.nesting.depth - 1, i);
  return i + 1;
}
