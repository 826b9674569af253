import type { JsonParseError } from "../errors.js";

/**
 * Why a text is not JSON. Scanners throw it instead of an error, which is only made if it is asked for: most texts that
 * readers try are refused.
 */
export class Mistake {
  /** The place in the whole text. */
  readonly offset: number;
  private readonly createError: () => JsonParseError;
  private created: JsonParseError | undefined;

  constructor(offset: number, createError: () => JsonParseError) {
    this.offset = offset;
    this.createError = createError;
  }

  /** The same object each time. */
  get error(): JsonParseError {
    return (this.created ??= this.createError());
  }
}
