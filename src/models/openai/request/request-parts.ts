import type { JsonObject } from "../../../json/value.js";
import { withoutMarks } from "../../../schema/map-schema.js";
import type { ReasoningOptions, ResponseFormat, ToolDefinition } from "../../contract/chat-model.js";
import { invalidRequest, ModelError } from "../../contract/errors.js";
import { requestFields } from "../../loose.js";
import { isInstance } from "../../../text/thrown.js";
import { joinAllOf } from "../../request/join-all-of.js";
import { refuseIn } from "../../request/request-errors.js";
import { toOpenAIStrictSchema } from "./strict-schema.js";

/** @throws {ModelError} `invalid_request` if `reasoning.maxTokens` is set */
export function toReasoningEffort(reasoning: ReasoningOptions | undefined, api: string): string | undefined {
  if (reasoning?.maxTokens === undefined) return reasoning?.effort;
  throw invalidRequest(`${api} does not support reasoning.maxTokens. Use reasoning.effort.`);
}

/** `{name, schema, strict}`. Converts the schema for strict mode, unless `strict` is false. */
export function toJsonSchemaFormat({ name, schema, strict = true }: ResponseFormat): JsonObject {
  const subject = `the response format ${JSON.stringify(name)}`;
  return { name, schema: strict ? toOpenAIStrictSchema(schema, subject) : withoutMarks(schema), strict };
}

/**
 * `{name, description, parameters, strict}`. Converts the schema for strict mode if `strict` is true. Otherwise only
 * the root is changed: OpenAI accepts no `allOf` there.
 */
export function toFunctionFields({ name, description, parameters, strict }: ToolDefinition): JsonObject {
  const subject = `the tool ${JSON.stringify(name)}`;
  const schema =
    strict === true ? toOpenAIStrictSchema(parameters, subject) : withJoinedRoot(withoutMarks(parameters));
  return requestFields({ name, description, parameters: schema, strict });
}

/** A root that cannot be joined is left to the server: not all compatible ones refuse it. */
function withJoinedRoot(schema: JsonObject): JsonObject {
  try {
    return joinAllOf(schema, "", refuseIn("a tool", "joined"));
  } catch (error) {
    if (isInstance(error, ModelError)) return schema;
    throw error;
  }
}

/**
 * The role of system messages. OpenAI's reasoning models use `developer`; other servers support only `system`.
 */
export type SystemRole = "system" | "developer";

export function systemRoleOf(official: boolean, isReasoningModel: boolean): SystemRole {
  return official && isReasoningModel ? "developer" : "system";
}
