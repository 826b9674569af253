/**
 * Finds one kind of text, such as email addresses, in a run: a piece of text without white space, or one of its
 * `characters`. It gets each run as a whole, however the text was cut into chunks, and returns matches of a regular
 * expression, or objects with the same two fields.
 *
 * @example
 * ```ts
 * import type { Detector } from "millrace/agent";
 *
 * const apiKey: Detector = (run) => run.matchAll(/\bsk-\w{20,}/g);
 * // A name has a space in it, so its runs must have one too.
 * const customer: Detector = Object.assign((run: string) => run.matchAll(/Ada Lovelace/g), {
 *   characters: /[a-z ]/i,
 *   maxLength: 12,
 * });
 * console.log(Array.from(apiKey(`sk-${"a".repeat(20)}`), ({ index }) => index)); // [0]
 * console.log([...customer("by Ada Lovelace")].length); // 1
 * ```
 */
export interface Detector {
  (run: string): Iterable<DetectedText>;
  /** Matches each UTF-16 code unit that a match may contain. A run has only these. Default: no white space. */
  readonly characters?: RegExp;
  /**
   * The length of the longest match. Up to three times as much text is withheld. A longer run is passed on in windows of twice
   * this length, each of which begins in the middle of the one before. Default: 256.
   */
  readonly maxLength?: number;
}

/** A match: its place in the run, and its text. */
export interface DetectedText {
  readonly index: number;
  readonly 0: string;
}

/** The detectors by their names, which are those in masks: `[email]`. */
export type Detectors = Readonly<Record<string, Detector>>;
