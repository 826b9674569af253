import type { FinishReason } from "../messages/finish-reason.js";
import { noop } from "../stream/core/result.js";
import { type Schema, type Validation, formatIssues, thenOrNow } from "../schema/schema.js";
import { OutputParserError, type OutputParserErrorDetails } from "./errors.js";
import { withTokenLimit } from "./truncation.js";

/**
 * Checks a value. Returns it with transforms and defaults applied, or a promise if the schema checks asynchronously.
 * Without a schema it returns the value itself.
 *
 * @param subject the beginning of the error message, with "does" or "do"
 */
export function check<T>(
  schema: Schema<T> | undefined,
  value: unknown,
  finishReason?: FinishReason,
  subject = "The output does",
): unknown {
  if (schema === undefined) return value;
  return thenOrNow(schema.validate(value), (validation: Validation<T>): T => {
    const { issues } = validation;
    if (issues === undefined) return validation.value;
    const message = withTokenLimit(
      `${subject} not satisfy the schema. ${formatIssues(issues)}`,
      finishReason,
    );
    throw new OutputParserError("schema", message, { value, finishReason, issues });
  });
}

/**
 * The result of a check in `parse()`, which cannot wait.
 *
 * @param details called only for the error
 * @throws {OutputParserError} `async_schema` if it is a promise
 */
export function synchronous<T>(
  result: T | Promise<T>,
  details: () => OutputParserErrorDetails,
  schema = "The schema",
): T {
  if (!(result instanceof Promise)) return result;
  result.catch(noop); // the result is not used
  const problem = `${schema} checks asynchronously, but parse() is synchronous. Use .final on a stream of the output.`;
  throw new OutputParserError("async_schema", problem, details());
}
