import type { JsonParseErrorCode } from "./errors.js";
import type { JsonRepairKind } from "./repair.js";
import type { RestReader } from "./scan/json-scanner.js";

/** The place where a document begins. */
export interface Found {
  /**
   * The text from the first character of the document on: the part held back of earlier chunks, and the rest of this
   * one.
   */
  readonly text: string;
  /** The place of that character in the whole text, in UTF-16 code units from 0. */
  readonly offset: number;
  /** Its line, from 1. Lines end at a line feed. */
  readonly line: number;
  /** The offset of the first character of that line. */
  readonly lineStart: number;
  /** Must the document be the whole text, because it does not look like one? */
  readonly whole?: boolean;
  /** The repair, with the text to read instead. */
  readonly repair?: FoundRepair;
}

/** A repair of the start of a document, or of one that is the whole text. */
export interface FoundRepair {
  readonly kind: JsonRepairKind;
  readonly text: string;
  /** The number of characters that were added at the start. Default: 0. */
  readonly added?: number;
}

/** Finds the document in a text, and reads what follows it. */
export interface DocumentSearch extends RestReader {
  /** Reads a chunk, and passes the document in it to the scanner. */
  scan(text: string): void;
  /** The text has ended. A document that was still undecided is scanned now. As `finish()` of the scanner. */
  finish(truncated: boolean): boolean;
  /** Why there is no document, for the error. */
  missing(): Missing;
}

/** Why a text has no document. */
export interface Missing {
  readonly code: JsonParseErrorCode;
  readonly problem: string;
  /** What was expected instead. Default: what the scanner expects. */
  readonly expected?: string;
}
