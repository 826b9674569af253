import { withPlainDigits } from "../text/around/plain-digits.js";

/** The markers with which the items of a list begin. */
export interface Markers {
  /**
   * `marker`: the text is one if white space follows, and may still grow; `start`: it may become one; `none`: it
   * cannot.
   */
  kindOf(text: string): "marker" | "start" | "none";
  /** May the text of the item follow the marker without white space? */
  mayAdjoin(marker: string, next: string): boolean;
  /** Whether the first item may follow a colon on its line, as in `Sure: 1. foo`. */
  mayFollowColon(marker: string): boolean;
}

/**
 * Numbers of at most nine digits, as in CommonMark: larger numbers are not exact in every language.
 *
 * `1.`, `1)`, `(1)`, `1:`, `1\.`, `1、`, the wide forms of these (`１．`, `（1）`), and each of them in emphasis: `**1.**`,
 * `**1**.`, or `**1.` where the emphasis continues.
 */
export const numbers: Markers = {
  kindOf: (text) => (number.test(text) ? "marker" : startOfNumber.test(text) ? "start" : "none"),
  mayAdjoin: (marker, next) => adjoining.some(([end, start]) => end.test(marker) && start.test(next)),
  mayFollowColon: (marker) => numberOf(marker) === 1,
};

/** Of ASCII, full width, Arabic, Persian and Hindi. */
const digit = String.raw`\d\uff10-\uff19\u0660-\u0669\u06f0-\u06f9\u0966-\u096f`;
const digits = `[${digit}]{1,9}`;
const number = new RegExp(
  String.raw`^([*_]{0,3})(?:[(\uff08]${digits}[)\uff09]|${digits}\\?[.):\uff0e\u3001\uff09\uff1a])\1?$|^([*_]{1,3})${digits}\2[.):\uff0e\u3001\uff09\uff1a]$`,
);
/** Accepts more than what can become a number, but nothing longer. */
const startOfNumber = new RegExp(
  String.raw`^[*_]{0,3}[(\uff08]?[${digit}]{0,9}\\?(?:[.):\uff0e\u3001\uff09\uff1a]?[*_]{0,3}|[*_]{1,3}[.):\uff0e\u3001\uff09\uff1a])$`,
);

/** The ends of markers, and what an item without white space before it begins with. 1.5, 1.º and 1.foo are no items. */
const adjoining: readonly (readonly [RegExp, RegExp])[] = [
  [/[.:][*_]{0,3}$/, /[\u0300-\uff0f\uff1a-\uffff]/],
  [/\)[*_]{0,3}$/, /[a-z\u0080-\uff0f\uff1a-\uffff]/i],
  [/[．、）：][*_]{0,3}$/, new RegExp(`[^${digit}]`)],
];

/** The bullets of Markdown, of typography, and dashes. */
export const bullets: Markers = {
  kindOf: (text) => (text.length === 1 && bulletCharacters.includes(text) ? "marker" : "none"),
  mayAdjoin: (marker, next) => typographic.includes(marker) && next !== marker,
  // There it would be a dash.
  mayFollowColon: () => false,
};

/** Bullets that never begin a word or a number, as those in `-5` do. */
const typographic = "•‣▪●◦・○■□◆◇▶►➤";
const bulletCharacters = `-*+·–—${typographic}`;

/** The number of a marker. */
export function numberOf(marker: string): number {
  return Number(/\d+/.exec(withPlainDigits(marker))?.[0]);
}

const beforeNumber = new RegExp(`^[*_]+(?=[(（${digit}])`);

/** The emphasis that begins in the marker and ends in the text of the item: the `**` of `**1. foo**`. */
export function openEmphasisOf(marker: string): string {
  const emphasis = beforeNumber.exec(marker)?.[0];
  return emphasis === undefined || marker.includes(emphasis, emphasis.length) ? "" : emphasis;
}
