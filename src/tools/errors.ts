import { MillraceError } from "../errors.js";
import type { SchemaIssue } from "../schema/schema.js";

/**
 * - `failed`: for tools themselves, to throw with a message that is meant for the model
 * - `invalid_tool`: the tool cannot be made so: its name, its schema, a limit
 * - `invalid_input`: the arguments of the model do not satisfy the schema, and `issues` says where
 * - `injection`: the values that the program fills in do not satisfy it
 * - `timeout`: the run took longer than the tool's `timeout`
 * - `result`: what the run gave cannot be said to a model
 */
export type ToolErrorCode = "failed" | "invalid_tool" | "invalid_input" | "injection" | "timeout" | "result";

/** What a `ToolError` knows. */
export interface ToolErrorDetails {
  /** The name of the tool, where it is known. */
  readonly tool?: string | undefined;
  readonly issues?: readonly SchemaIssue[];
  readonly cause?: unknown;
}

/**
 * A tool could not be made, called or run. Its message is fit for the model: by default it is what the model is told.
 *
 * @example
 * ```ts
 * import { tool, ToolError } from "millrace";
 *
 * const capital = tool({
 *   name: "capital",
 *   run: (country) => {
 *     if (country === "Norway") return "Oslo";
 *     throw new ToolError("failed", `There is no country called ${country}.`);
 *   },
 * });
 * console.log(capital.name); // "capital"
 * ```
 */
export class ToolError extends MillraceError<ToolErrorCode> {
  override readonly name: string = "ToolError";
  readonly tool: string | undefined;
  /** What is wrong with the arguments, with `invalid_input` and `injection`; otherwise empty. */
  readonly issues: readonly SchemaIssue[];

  constructor(code: ToolErrorCode, message: string, details: ToolErrorDetails = {}) {
    super(code, message, details.cause === undefined ? undefined : { cause: details.cause });
    this.tool = details.tool;
    this.issues = details.issues ?? [];
  }
}
