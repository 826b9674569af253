import { MillraceError } from "../../errors.js";
import { ModelError } from "../../models/contract/errors.js";
import { fieldOf, isInstance } from "../../text/thrown.js";

/**
 * Classifies an error without its message, which may be confidential: the status of an HTTP response, the `code` of an
 * error of this package, or else the name of the error. OpenTelemetry's `error.type` requires such a value with low
 * cardinality.
 */
export function errorType(error: unknown): string {
  if (isInstance(error, ModelError) && error.status !== undefined) return String(error.status);
  if (isInstance(error, MillraceError)) return String(error.code);
  const name = isInstance(error, Error) ? fieldOf(error, "name") : undefined;
  return typeof name === "string" ? name : "_OTHER";
}
