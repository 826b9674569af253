import { MillraceError } from "../../errors.js";

/**
 * The codes of `TranscriptError`:
 *
 * - `not_a_transcript`: the first line is not the header that `record()` writes
 * - `version`: the transcript has an unknown version
 * - `invalid_line`: a line is not valid, or not allowed at its place
 * - `cut`: the last line is incomplete, or does not say how the stream ended
 */
export type TranscriptErrorCode = "not_a_transcript" | "version" | "invalid_line" | "cut";

/** A transcript cannot be replayed. */
export class TranscriptError extends MillraceError<TranscriptErrorCode> {
  override readonly name: string = "TranscriptError";
  /** The number of the line, from 1. */
  declare readonly line: number;

  constructor(code: TranscriptErrorCode, line: number, problem: string, options?: ErrorOptions) {
    super(code, `Line ${line} of the transcript ${problem}`, { ...options, line });
  }
}
