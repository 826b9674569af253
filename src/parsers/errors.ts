import { MillraceError } from "../errors.js";
import type { FinishReason } from "../messages/finish-reason.js";
import type { SchemaIssue } from "../schema/schema.js";

/**
 * - `invalid`: the output is not in the format; `cause` says where
 * - `truncated`: the output ended before the document did; `finishReason` often says why
 * - `refusal`: the output has no document, but reads as a refusal: "I can't help with that."
 * - `schema`: the document does not satisfy the schema; `issues` says where. If the stream was ended early because no
 *   continuation could satisfy the schema, `cause` is a `SchemaViolation`
 * - `not_an_array`: the value at the pointer of `.items()` is not an array
 * - `async_schema`: the schema checks asynchronously, and `parse()` is synchronous
 * - `unknown_tool`: the model called a tool that does not exist
 * - `several`: more than one of these, in `errors`
 */
export type OutputParserErrorCode =
  | "invalid"
  | "truncated"
  | "refusal"
  | "schema"
  | "not_an_array"
  | "async_schema"
  | "unknown_tool"
  | "several";

/** The properties of an `OutputParserError`. */
export interface OutputParserErrorDetails {
  /** The value up to the error, immutable; `undefined` if nothing was known. */
  readonly value: unknown;
  /** Why the model stopped, if the stream reported it before the error. */
  readonly finishReason?: FinishReason | undefined;
  readonly issues?: readonly SchemaIssue[];
  readonly errors?: readonly OutputParserError[];
  readonly cause?: unknown;
}

/** The output of a model is not in the format that the parser expects. Carries the value read so far. */
export class OutputParserError extends MillraceError<OutputParserErrorCode> {
  override readonly name: string = "OutputParserError";
  declare readonly value: unknown;
  declare readonly finishReason: FinishReason | undefined;
  /** The issues of the value, for the code `schema`; otherwise empty. */
  declare readonly issues: readonly SchemaIssue[];
  /** The errors in the order of the output, for the code `several`, and the operations that `patchLines()` refused. */
  declare readonly errors: readonly OutputParserError[];

  constructor(code: OutputParserErrorCode, message: string, details: OutputParserErrorDetails) {
    super(code, message, { ...details, issues: details.issues ?? [], errors: details.errors ?? [] });
  }
}
