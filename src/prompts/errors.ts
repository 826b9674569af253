import { MillraceError } from "../errors.js";

/**
 * The codes of `PromptError`:
 *
 * - `invalid_template`: a single brace, an invalid name, or one name for a text and for messages
 * - `missing_variable`: a variable has no value
 * - `invalid_value`: a variable has a value of the wrong type
 */
export type PromptErrorCode = "invalid_template" | "missing_variable" | "invalid_value";

/** The details of a `PromptError`. */
export interface PromptErrorDetails {
  /** The text or the placeholder with the error, for example `messages[2].content[0].text`. */
  readonly place: string;
  /** The position in that text, in UTF-16 code units. */
  readonly offset?: number | undefined;
  readonly variable?: string | undefined;
  readonly cause?: unknown;
}

/**
 * A prompt cannot be created or formatted. The message names the variable and the place, and never contains a value.
 */
export class PromptError extends MillraceError<PromptErrorCode> implements PromptErrorDetails {
  override readonly name: string = "PromptError";
  declare readonly place: string;
  declare readonly offset: number | undefined;
  declare readonly variable: string | undefined;

  // eslint-disable-next-line @typescript-eslint/no-useless-constructor -- the base class takes any details
  constructor(code: PromptErrorCode, message: string, details: PromptErrorDetails) {
    super(code, message, details);
  }
}
