import { excerpt } from "../../text/excerpt.js";
import { ModelError } from "../contract/errors.js";

/**
 * The error for something else than a stream should contain.
 *
 * @param expected for example "an event of a response"
 */
export function unexpectedError(expected: string, found: unknown, cause?: unknown): ModelError {
  const shown = excerpt(found);
  return new ModelError("protocol", `Expected ${expected}, but got: ${shown}`, { excerpt: shown, cause });
}
