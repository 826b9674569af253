import { MillraceError } from "../../errors.js";

/**
 * - `not_a_transcript`: the first line is not the header that `record()` writes
 * - `version`: it was written by a version that this one does not know
 * - `invalid_line`: a line is none of a transcript, or stands where it must not
 * - `cut`: the last line does not say how the stream ended, or is not whole
 */
export type TranscriptErrorCode = "not_a_transcript" | "version" | "invalid_line" | "cut";

/** A transcript that cannot be played. */
export class TranscriptError extends MillraceError<TranscriptErrorCode> {
  override readonly name: string = "TranscriptError";
  /** Counted from 1. */
  readonly line: number;

  constructor(code: TranscriptErrorCode, line: number, problem: string, options?: ErrorOptions) {
    super(code, `Line ${line} of the transcript ${problem}`, options);
    this.line = line;
  }
}
