import { MillraceError } from "../errors.js";
import type { JsonObject, JsonValue } from "../json/value.js";
import { errorFromJson, errorToJson } from "../models/transcript.js";
import { isInstance } from "../text/thrown.js";

/**
 * An error as a value. Middleware decides by the class and the code of an error whether to try again, and must decide
 * in the same way when the step is read from the journal.
 */
export function toRecordedError(error: unknown): JsonObject {
  const json = errorToJson(error);
  return isInstance(error, MillraceError) ? json : { ...json, foreign: true };
}

/** Restores an error: a `ModelError`, a `MillraceError`, or else an `Error` with its name and code. */
export function fromRecordedError(json: JsonValue): unknown {
  const { foreign, code, ...others } = json as JsonObject;
  if (foreign !== true) return errorFromJson(json);
  const error = errorFromJson(others);
  return code === undefined ? error : Object.assign(error as Error, { code });
}
