import { MillraceError } from "../errors.js";
import type { FinishReason } from "../messages/finish-reason.js";
import type { SchemaIssue } from "../schema/schema.js";

/**
 * - `invalid`: the output is not in the format; `cause` says where
 * - `truncated`: the output ended before the document did; `finishReason` often says why
 * - `schema`: the document does not satisfy the schema, and `issues` says where. Of a stream that was ended before the
 *   document was whole, as nothing that followed could have helped, `cause` is a `SchemaViolation`
 * - `not_an_array`: `.items()` was asked for the elements of something else
 * - `async_schema`: the schema checks asynchronously, which `parse()` cannot wait for
 * - `unknown_tool`: the model called a tool that there is not
 * - `several`: more than one of these, in `errors`
 */
export type OutputParserErrorCode =
  "invalid" | "truncated" | "schema" | "not_an_array" | "async_schema" | "unknown_tool" | "several";

/** What an `OutputParserError` knows. */
export interface OutputParserErrorDetails {
  /** What was known by then, immutable; `undefined` if nothing was. */
  readonly value: unknown;
  /** Why the model stopped, if the stream said so before the error. */
  readonly finishReason?: FinishReason | undefined;
  readonly issues?: readonly SchemaIssue[];
  readonly errors?: readonly OutputParserError[];
  readonly cause?: unknown;
}

/** The output of a model is not what the parser asked for. Carries what could be read of it. */
export class OutputParserError extends MillraceError<OutputParserErrorCode> {
  override readonly name: string = "OutputParserError";
  readonly value: unknown;
  readonly finishReason: FinishReason | undefined;
  /** What is wrong with the value, with `code: "schema"`; otherwise empty. */
  readonly issues: readonly SchemaIssue[];
  /** With `code: "several"`, each of them, in the order of the output; otherwise empty. */
  readonly errors: readonly OutputParserError[];

  constructor(code: OutputParserErrorCode, message: string, details: OutputParserErrorDetails) {
    super(code, message, details.cause === undefined ? undefined : { cause: details.cause });
    this.value = details.value;
    this.finishReason = details.finishReason;
    this.issues = details.issues ?? [];
    this.errors = details.errors ?? [];
  }
}
