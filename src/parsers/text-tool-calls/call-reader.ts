import type { CallOutput } from "./call-output.js";
import type { CallNames } from "./call-names.js";

/** Reads the calls at one place of a text. */
export interface CallReader {
  /**
   * Reads as far as the calls go. Characters that are not used are passed again, followed by more.
   *
   * @param isEnd whether the text ends here
   */
  read(text: string, isEnd: boolean): TextReading;
}

/**
 * - `open`: the calls continue
 * - `done`: the calls end after the used characters
 * - `none`: the text is not a call. Only before the reader has reported one
 */
export interface TextReading {
  readonly state: "open" | "done" | "none";
  /** The number of characters read. */
  readonly used: number;
  /** The text that was read after the last call, if it is no call. */
  readonly unread?: string;
}

/** The surroundings of a reader. */
export interface CallContext {
  readonly output: CallOutput;
  readonly names: CallNames;
  /** Whether the call has no marker. */
  readonly isBare: boolean;
  /** Whether only a text with the name of a tool is a call: it has no marker, or is not at the start of a line. */
  readonly mustName: boolean;
  /** Whether more text on its line makes it a mention. */
  readonly isInLine: boolean;
  /** The closing tags that may follow. */
  readonly closings: readonly string[];
  /** Whether the model had to stop early, so a missing end is not its mistake. */
  stoppedEarly: boolean;
  /** Whether a syntax error in Python ends the calls without a marker: what follows may be in a string. */
  isLast: boolean;
}

/** The maximum length of text after a bracket that is read again if it is no call. */
export const maxReadAgain = 256;
