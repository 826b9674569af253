import { MillraceError } from "../../errors.js";
import { ModelError } from "../../models/contract/errors.js";

/**
 * What an error is, without what it says, which may be confidential: the status of an HTTP answer, the code of an error of
 * this package, or else the name of the error. It is what `error.type` of OpenTelemetry wants: of few values.
 */
export function errorType(error: unknown): string {
  if (error instanceof ModelError && error.status !== undefined) return String(error.status);
  if (error instanceof MillraceError) return String(error.code);
  return error instanceof Error ? error.name : "_OTHER";
}
