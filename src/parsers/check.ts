import type { FinishReason } from "../messages/finish-reason.js";
import { type Schema, type SchemaIssue, type Validation, formatIssues, thenOrNow } from "../schema/schema.js";
import { OutputParserError } from "./errors.js";

/**
 * The value as the schema makes it, at once if the schema checks at once; without a schema, the value itself.
 *
 * @param subject what is checked, in words that begin a sentence, with "does" or "do"
 */
export function check<T>(
  schema: Schema<T> | undefined,
  value: unknown,
  finishReason?: FinishReason,
  subject = "The output does",
): unknown {
  if (schema === undefined) return value;
  return thenOrNow(schema.validate(value), (validation: Validation<T>): T => {
    if (validation.issues === undefined) return validation.value;
    throw schemaError(subject, validation.issues, value, finishReason);
  });
}

function schemaError(
  subject: string,
  issues: readonly SchemaIssue[],
  value: unknown,
  finishReason: FinishReason | undefined,
): OutputParserError {
  const message = `${subject} not satisfy the schema. ${formatIssues(issues)}`;
  return new OutputParserError("schema", message, { value, finishReason, issues });
}
