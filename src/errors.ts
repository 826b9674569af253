/**
 * The base class of all errors that this package throws on purpose. Each layer has one subclass with its own `code`
 * union.
 */
export class MillraceError<Code extends string = string> extends Error {
  override readonly name: string = "MillraceError";
  /** The kind of the error, for programs. The message is for people and may change. */
  readonly code: Code;
  /** The end of the message, if it is for programmers alone: what to write instead. */
  declare readonly advice?: string;

  /**
   * @param details the cause, and the fields of a subclass. Those that are `undefined` are left out, because Node
   *   prints all fields of an error that is not caught
   */
  constructor(code: Code, message: string, details: object = {}) {
    const { cause, ...fields } = details as ErrorOptions;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) (this as Record<string, unknown>)[name] = value;
    }
  }
}
