import type { JsonObject } from "../../../json/value.js";
import { withoutMarks } from "../../../schema/map-schema.js";
import type { ToolDefinition } from "../../contract/chat-model.js";
import { requestFields } from "../../loose.js";
import { ownFieldsIn } from "../own-fields.js";
import { refuseIn } from "../../request/request-errors.js";
import { rootObject } from "./root-object.js";
import { strictSchema } from "./strict-schema.js";

/** Converts a tool definition for the Messages API. */
export function toTool({ name, description, parameters, strict, metadata }: ToolDefinition): JsonObject {
  const subject = `the tool ${JSON.stringify(name)}`;
  return requestFields({
    name,
    description,
    input_schema:
      strict === true ? strictSchema(parameters, subject, true) : inputSchema(parameters, subject),
    strict,
    ...ownFieldsIn(metadata),
  });
}

/**
 * The schema unchanged, but its root must be an object: Anthropic rejects anything else, including alternatives at the
 * root.
 */
function inputSchema(parameters: JsonObject, subject: string): JsonObject {
  return rootObject(withoutMarks(parameters), refuseIn(subject, "given to Anthropic"));
}
