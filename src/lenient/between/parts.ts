import { characterAt } from "../../json/scan/characters.js";
import type { JsonRepairKind } from "../../json/repair.js";
import type { OpenDocument } from "../document.js";
import type { LenientString } from "../strings/open-string.js";
import type { Answer, FoundAt } from "../ahead/window.js";

/** The readers that a repair may begin. */
export interface Parts {
  readonly document: OpenDocument;
  readonly open: LenientString;
}

/** A repair between tokens, at a character of the text ahead. */
export interface RepairBetween {
  /** The characters at which it may begin. */
  readonly on: string | ((character: number) => boolean);
  /** Does it apply? If so, it may be the index that `read()` needs. `undefined`: more text decides. Default: yes. */
  readonly is?: (document: OpenDocument, i: number, character: number) => Answer | FoundAt;
  /** What is reported, at `i`. Without it, `read()` reports. */
  readonly kind?: JsonRepairKind;
  /** Returns the index where the scan continues. */
  readonly read: (parts: Parts, i: number, found: number) => number;
}

/** Skips one character. */
export function skip(_: Parts, i: number): number {
  return i + 1;
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
