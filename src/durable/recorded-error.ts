import { AgentError, type AgentErrorCode, type AgentErrorDetails } from "../agent/errors.js";
import { MillraceError } from "../errors.js";
import { type JsonObject, type JsonValue, withoutUndefined } from "../json/value.js";
import { errorFromJson, errorToJson } from "../models/transcript.js";
import { isInstance } from "../text/thrown.js";
import { ToolError, type ToolErrorCode, type ToolErrorDetails } from "../tools/errors.js";

/**
 * An error as a value. Middleware decides by the class and the code of an error whether to try again, and must decide
 * in the same way when the step is read from the journal.
 */
export function toRecordedError(error: unknown): JsonObject {
  const json = errorToJson(error);
  if (isInstance(error, ToolError)) {
    const { tool, issues } = error;
    return withoutUndefined({ ...json, tool, issues }) as JsonObject;
  }
  if (isInstance(error, AgentError)) {
    const { issues, names, finishReason } = error;
    return withoutUndefined({ ...json, issues, names, finishReason }) as JsonObject;
  }
  return isInstance(error, MillraceError) ? json : { ...json, foreign: true };
}

/**
 * Restores an error of this library with its class (an `AgentError` without its state and value), or else an `Error`
 * with its name and code.
 */
export function fromRecordedError(json: JsonValue): unknown {
  const { foreign, code, ...others } = json as JsonObject;
  if (foreign === true) {
    const error = errorFromJson(others);
    return code === undefined ? error : Object.assign(error as Error, { code });
  }
  const error = errorFromJson(json);
  if (!isInstance(error, MillraceError)) return error;
  const { name, message, cause } = error;
  switch (name) {
    case "AgentError":
      return new AgentError(code as AgentErrorCode, message, { ...(others as AgentErrorDetails), cause });
    case "ToolError":
      return new ToolError(code as ToolErrorCode, message, { ...(others as ToolErrorDetails), cause });
    default:
      return error;
  }
}
