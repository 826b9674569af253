import type { JsonObject } from "../../../json/value.js";
import type { Message } from "../../../messages/message.js";
import type { CallOptions, ResponseFormat, ToolDefinition } from "../../contract/chat-model.js";
import { invalidRequest } from "../../contract/errors.js";
import { requestFields } from "../../loose.js";
import { type SchemaDialect, unchanged } from "../../dialect/dialect.js";
import { formatSubject } from "../../dialect/refuse.js";
import { writeNamed, writeParameters } from "../../dialect/write-schema.js";
import { openAILoose, openAIStrict, openAITool } from "../schema.js";
import { isLocal, localServers, type OpenAIServer, type ServerRules } from "./servers.js";

export interface OpenAIRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly call: CallOptions;
  readonly rules: ServerRules;
  readonly systemRole: SystemRole;
  readonly dialects: SchemaDialects;
}

export function effortOf({ reasoning }: CallOptions, api: string): string | undefined {
  if (reasoning?.maxTokens === undefined) return reasoning?.effort;
  throw invalidRequest(`${api} does not support reasoning.maxTokens. Use reasoning.effort.`);
}

export interface SchemaDialects {
  /** The dialect of a response format or a tool, unless `strict` is false. */
  readonly strict: SchemaDialect;
  /** The dialect of a response format with `strict: false`. */
  readonly loose: SchemaDialect;
  /** The dialect of a tool without `strict`. */
  readonly tool: SchemaDialect;
}

const openAISchemas: SchemaDialects = { strict: openAIStrict, loose: openAILoose, tool: openAITool };

/** vLLM reads whole schemas; other local servers convert them as llama.cpp does. The grammar is loaded only for them. */
export async function schemasOf(server: OpenAIServer | undefined): Promise<SchemaDialects> {
  if (!isLocal(server)) return openAISchemas;
  const { grammarDialect } = await import("../../dialect/grammar/schema.js");
  const strict = server === "vllm" ? unchanged : grammarDialect(localServers[server].title);
  return { strict, loose: unchanged, tool: strict };
}

/** `{name, description, schema, strict}`. Converts the schema for strict mode, unless `strict` is false. */
export function formatFields(
  { name, schema, strict = true }: ResponseFormat,
  dialects: SchemaDialects,
): JsonObject {
  const { description } = schema;
  const named = { name, ...(typeof description === "string" && { description }) };
  const dialect = strict ? dialects.strict : dialects.loose;
  return { ...named, schema: writeNamed(schema, dialect, named, formatSubject(name)), strict };
}

/** `{name, description, parameters, strict}`. Converts the schema for strict mode if `strict` is true. */
export function functionFields(tool: ToolDefinition, dialects: SchemaDialects): JsonObject {
  const { name, description, strict } = tool;
  const parameters = writeParameters(tool, strict === true ? dialects.strict : dialects.tool);
  return requestFields({ name, description, parameters, strict });
}

/** OpenAI's reasoning models use `developer`; other servers support only `system`. */
export type SystemRole = "system" | "developer";

export function systemRoleOf(official: boolean, isReasoningModel: boolean): SystemRole {
  return official && isReasoningModel ? "developer" : "system";
}
