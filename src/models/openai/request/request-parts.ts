import type { JsonObject } from "../../../json/value.js";
import { withoutMarks } from "../../../schema/map-schema.js";
import type { ReasoningOptions, ResponseFormat, ToolDefinition } from "../../contract/chat-model.js";
import { ModelError } from "../../contract/errors.js";
import { requestFields } from "../../loose.js";
import { toOpenAIStrictSchema } from "./strict-schema.js";

/** @throws {ModelError} `invalid_request` if a number of tokens is asked for */
export function toReasoningEffort(reasoning: ReasoningOptions | undefined, api: string): string | undefined {
  if (reasoning?.maxTokens === undefined) return reasoning?.effort;
  throw new ModelError(
    "invalid_request",
    `${api} takes an effort of reasoning, but no number of tokens for it.`,
  );
}

/** `{name, schema, strict}`. The schema is made strict unless the format says that it should not be. */
export function toJsonSchemaFormat({ name, schema, strict = true }: ResponseFormat): JsonObject {
  const subject = `the response format ${JSON.stringify(name)}`;
  return { name, schema: strict ? toOpenAIStrictSchema(schema, subject) : withoutMarks(schema), strict };
}

/** `{name, description, parameters, strict}`. The schema is made strict where the tool asks for it. */
export function toFunctionFields({ name, description, parameters, strict }: ToolDefinition): JsonObject {
  const subject = `the tool ${JSON.stringify(name)}`;
  const schema = strict === true ? toOpenAIStrictSchema(parameters, subject) : withoutMarks(parameters);
  return requestFields({ name, description, parameters: schema, strict });
}

/**
 * What OpenAI calls the role of a message about the task. From its reasoning models on it is `developer`; other servers
 * know `system` only.
 */
export type SystemRole = "system" | "developer";

export function systemRoleOf(official: boolean, reasons: boolean): SystemRole {
  return official && reasons ? "developer" : "system";
}
