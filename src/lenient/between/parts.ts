import { BACKSLASH, characterAt, QUOTE } from "../../json/scan/characters.js";
import type { JsonRepairKind } from "../../json/repair.js";
import type { OpenDocument } from "../document.js";
import type { LenientString } from "../strings/open-string.js";
import type { Answer, FoundAt } from "../ahead/window.js";

/** A repair between tokens, at a character of the text ahead. */
export interface RepairBetween {
  /** The characters at which it may begin. */
  readonly on: string | ((character: number) => boolean);
  /** Does it apply? If so, it may be the index that `read()` needs. `undefined`: more text decides. Default: yes. */
  readonly is?: (document: OpenDocument, i: number, character: number) => Answer | FoundAt;
  /** The repair that is reported at `i`. Without it, `read()` reports. */
  readonly kind?: JsonRepairKind;
  /** The state after it. Default: the same. */
  readonly to?: number;
  /** Returns the index where the scan continues. Default: that of `is()`, or after the character. */
  readonly read?: (open: LenientString, i: number, found: number) => number;
}

/** Is the next character one of these? `undefined` if it is not known yet. */
export function isFollowed(
  { ahead, cursor }: OpenDocument,
  i: number,
  by: (next: number) => boolean,
): Answer {
  const next = characterAt(ahead.text, i + 1);
  return next < 0 && !cursor.ended ? undefined : by(next);
}

/** May a word begin here? In `{"a": \"b\"}` no repair is certain. */
export function mayBeWord(document: OpenDocument, i: number, character: number): Answer {
  const isEscaped = character === BACKSLASH && isFollowed(document, i, (next) => next === QUOTE);
  return isEscaped === undefined ? undefined : !isEscaped;
}
