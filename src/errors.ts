/**
 * The base class of all errors that this package throws on purpose. Each layer has one subclass with its own `code`
 * union.
 */
export class MillraceError<Code extends string = string> extends Error {
  override readonly name: string = "MillraceError";
  /** The kind of the error, for programs. The message is for people and may change. */
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
