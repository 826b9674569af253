import { MillraceError } from "../errors.js";
import type { SchemaIssue } from "../schema/schema.js";

/**
 * - `failed`: for tools to throw, with a message for the model
 * - `invalid_tool`: `tool()` got an invalid name, schema or limit
 * - `invalid_input`: the arguments that the model wrote do not satisfy the schema; `issues` has the places
 * - `injection`: the injected arguments do not satisfy the schema
 * - `timeout`: the run took longer than the tool's `timeout`
 * - `result`: the result cannot be converted to a message for the model
 */
export type ToolErrorCode = "failed" | "invalid_tool" | "invalid_input" | "injection" | "timeout" | "result";

/** The fields of a `ToolError`. */
export interface ToolErrorDetails {
  /** The name of the tool, if known. */
  readonly tool?: string | undefined;
  readonly issues?: readonly SchemaIssue[];
  readonly cause?: unknown;
}

/**
 * A tool could not be made, called or run. By default, the model gets its message, so it must not contain secrets.
 *
 * @example
 * ```ts
 * import { tool } from "millrace";
 * import { ToolError } from "millrace/agent";
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
  declare readonly tool: string | undefined;
  /** The issues of the arguments, for `invalid_input` and `injection`; otherwise empty. */
  declare readonly issues: readonly SchemaIssue[];

  constructor(code: ToolErrorCode, message: string, details: ToolErrorDetails = {}) {
    super(code, message, { ...details, issues: details.issues ?? [] });
  }
}
