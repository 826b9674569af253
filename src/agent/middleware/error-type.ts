import { MillraceError } from "../../errors.js";
import { ModelError } from "../../models/contract/errors.js";

/**
 * Classifies an error without its message, which may be confidential: the status of an HTTP response, the `code` of an error
 * of this package, or else the name of the error. OpenTelemetry's `error.type` requires such a value with low cardinality.
 */
export function errorType(error: unknown): string {
  if (error instanceof ModelError && error.status !== undefined) return String(error.status);
  if (error instanceof MillraceError) return String(error.code);
  return error instanceof Error ? error.name : "_OTHER";
}
