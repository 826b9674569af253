import { MillraceError, OutputParserError } from "millrace";
import { JsonParseError } from "millrace/json";
import type { End } from "../protocol.js";

/**
 * Describes an error for the page. Errors of this package keep their message; other errors are reported without
 * details.
 */
export function failedEnd(error: unknown): Extract<End, { kind: "failed" }> {
  const isOurs = error instanceof MillraceError;
  const cause = isOurs ? error.cause : undefined;
  return {
    kind: "failed",
    code: isOurs ? (error as MillraceError).code : "internal",
    message: isOurs ? error.message : "Internal server error. See the server's terminal for details.",
    issues: isOurs && error instanceof OutputParserError ? error.issues : [],
    offset: cause instanceof JsonParseError ? cause.offset : null,
  };
}
