import { MillraceError } from "../errors.js";

/**
 * - `invalid_template`: a brace that opens or closes nothing, a name that is none, a name for two kinds of values
 * - `missing_variable`: a variable was not given
 * - `invalid_value`: a variable was given something that cannot stand there
 */
export type PromptErrorCode = "invalid_template" | "missing_variable" | "invalid_value";

/** What a `PromptError` knows. */
export interface PromptErrorDetails {
  /** The text or the placeholder that it is about, as in `messages[2].content[0].text`. */
  readonly place: string;
  /** Where in that text, in UTF-16 code units. */
  readonly offset?: number | undefined;
  readonly variable?: string | undefined;
  readonly cause?: unknown;
}

/** A prompt that cannot be made. The sentence names the variable and the place, and never shows a value. */
export class PromptError extends MillraceError<PromptErrorCode> implements PromptErrorDetails {
  override readonly name: string = "PromptError";
  readonly place: string;
  readonly offset: number | undefined;
  readonly variable: string | undefined;

  constructor(code: PromptErrorCode, message: string, details: PromptErrorDetails) {
    super(code, message, details.cause === undefined ? undefined : { cause: details.cause });
    this.place = details.place;
    this.offset = details.offset;
    this.variable = details.variable;
  }
}
