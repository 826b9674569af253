/** The markers with which the items of a list begin. */
export interface Markers {
  /**
   * `marker`: the text is one if white space follows, and may still grow; `start`: it may become one; `none`: it
   * cannot.
   */
  kindOf(text: string): "marker" | "start" | "none";
  /** Whether the first item may follow a colon on its line, as in `Sure: 1. foo`. */
  mayFollowColon(marker: string): boolean;
}

/**
 * Numbers of at most nine digits, as in CommonMark: larger numbers are not exact in every language.
 *
 * `1.`, `1)`, `(1)`, `1:`, `1\.`, and each of them in emphasis: `**1.**`, `**1**.`, or `**1.` where the emphasis
 * continues.
 */
export const numbers: Markers = {
  kindOf: (text) => (number.test(text) ? "marker" : startOfNumber.test(text) ? "start" : "none"),
  mayFollowColon: (marker) => numberOf(marker) === 1,
};

const number = /^([*_]{0,3})(?:\(\d{1,9}\)|\d{1,9}\\?[.):])\1?$|^([*_]{1,3})\d{1,9}\2[.):]$/;
/** Accepts more than what can become a number, but nothing longer. */
const startOfNumber = /^[*_]{0,3}\(?\d{0,9}\\?(?:[.):]?[*_]{0,3}|[*_]{1,3}[.):])$/;

/** The bullets of Markdown, of typography, and dashes. */
export const bullets: Markers = {
  kindOf: (text) => (text.length === 1 && bulletCharacters.includes(text) ? "marker" : "none"),
  // There it would be a dash.
  mayFollowColon: () => false,
};

const bulletCharacters = "-*+•‣▪●◦·–—";

/** The number of a marker. */
export function numberOf(marker: string): number {
  return Number(/\d+/.exec(marker)?.[0]);
}

/** The emphasis that begins in the marker and ends in the text of the item: the `**` of `**1. foo**`. */
export function openEmphasisOf(marker: string): string {
  const emphasis = /^[*_]+(?=[(\d])/.exec(marker)?.[0];
  return emphasis === undefined || marker.includes(emphasis, emphasis.length) ? "" : emphasis;
}
