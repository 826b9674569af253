import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import type { Message } from "../../messages/message.js";
import type {
  CallOptions,
  ReasoningOptions,
  ResponseFormat,
  ToolDefinition,
} from "../contract/chat-model.js";
import { invalidRequest } from "../contract/errors.js";
import { unchanged } from "../dialect/dialect.js";
import { extrasOfTool } from "../dialect/refuse.js";
import { writeFormat, writeParameters } from "../dialect/write-schema.js";
import { fieldsOrUndefined, requestFields } from "../loose.js";
import { toGeminiName } from "./function-name.js";
import { toGeminiContents } from "./messages.js";
import { geminiSchema } from "./schema.js";
import { modelName } from "./profile.js";

export function geminiRequest(model: string, messages: readonly Message[], call: CallOptions): JsonObject {
  const { tools = [], parallelToolCalls } = call;
  if (parallelToolCalls === false) {
    throw invalidRequest("Gemini does not support parallelToolCalls: false.");
  }
  const request = requestFields({
    ...toGeminiContents(messages),
    tools: toolsOf(tools),
    toolConfig: toolConfigOf(call),
    generationConfig: generationConfigOf(model, call),
  });
  return call.extra === undefined ? request : join(request, call.extra);
}

/** The functions of the caller are one tool, beside those that Gemini runs. */
function toolsOf(tools: readonly ToolDefinition[]): JsonObject[] | undefined {
  const functions = tools.filter(({ forms }) => forms === undefined).map(toFunction);
  const own = tools.flatMap(({ forms }): JsonObject[] =>
    forms === undefined ? [] : [forms["gemini"] ?? {}],
  );
  const all: JsonObject[] = functions.length === 0 ? own : [{ functionDeclarations: functions }, ...own];
  return all.length === 0 ? undefined : all;
}

function generationConfigOf(model: string, call: CallOptions): JsonObject | undefined {
  const { stop } = call;
  return fieldsOrUndefined({
    temperature: call.temperature,
    topP: call.topP,
    maxOutputTokens: call.maxTokens,
    stopSequences: typeof stop === "string" ? [stop] : stop && [...stop],
    seed: call.seed,
    thinkingConfig: thinkingConfigOf(model, call.reasoning),
    ...(call.responseFormat === undefined ? undefined : formatOf(call.responseFormat)),
  });
}

/** Gemini constrains the model to the schema. Without `strict`, unsupported keywords are ignored. */
function formatOf(format: ResponseFormat): JsonObject {
  return { responseMimeType: "application/json", responseJsonSchema: writeFormat(format, geminiSchema) };
}

/** Parameters are sent as plain JSON Schema. Only strict tools are limited to what Gemini supports. */
function toFunction(tool: ToolDefinition): JsonObject {
  const { name, description, strict } = tool;
  const parametersJsonSchema = writeParameters(tool, strict === true ? geminiSchema : unchanged);
  const own = extrasOfTool(tool, ["behavior", "response", "responseJsonSchema"], "Gemini");
  return requestFields({ name: toGeminiName(name), description, parametersJsonSchema, ...own });
}

/** A forced call is always constrained to its schema (`ANY`), another one if a tool is strict (`VALIDATED`). */
function toolConfigOf({ toolChoice, tools = [] }: CallOptions): JsonObject | undefined {
  const mode = (mode: string, names?: string[]): JsonObject => ({
    functionCallingConfig: requestFields({ mode, allowedFunctionNames: names }),
  });
  const strict = tools.some((tool) => tool.strict === true);
  if (typeof toolChoice === "object") return mode("ANY", [toGeminiName(toolChoice.name)]);
  switch (toolChoice) {
    case "none":
      return mode("NONE");
    case "required":
      return mode("ANY");
    case "auto":
      return mode(strict ? "VALIDATED" : "AUTO");
    case undefined:
      return strict ? mode("VALIDATED") : undefined;
  }
}

/** Merges the fields of `extra` into the request (see `GeminiExtra`). Fields that are `undefined` are removed. */
function join(fields: JsonObject, extra: NonNullable<CallOptions["extra"]>): JsonObject {
  const joined: Record<string, JsonValue | undefined> = { ...fields, ...extra };
  for (const key of joinable) {
    const [own, value] = [fields[key], extra[key]];
    if (isObject(own) && isObject(value)) joined[key] = join(own, value);
  }
  return requestFields(joined);
}

const joinable = ["generationConfig", "thinkingConfig", "toolConfig", "functionCallingConfig"] as const;

/** Gemini 2.5 takes a number of tokens, later models also a level. The numbers are those of Google's OpenAI API. */
function thinkingConfigOf(model: string, reasoning: ReasoningOptions | undefined): JsonObject | undefined {
  const { effort, maxTokens } = reasoning ?? {};
  if (effort !== undefined && maxTokens !== undefined) {
    throw invalidRequest("Gemini accepts reasoning.effort or reasoning.maxTokens, not both.");
  }
  if (maxTokens !== undefined) return { thinkingBudget: maxTokens, includeThoughts: maxTokens !== 0 };
  if (effort === undefined) return undefined;
  const name = modelName(model);
  if (effort !== "none") {
    return name.startsWith("gemini-2.5")
      ? { thinkingBudget: budgets[effort], includeThoughts: true }
      : { thinkingLevel: effort, includeThoughts: true };
  }
  if (name.startsWith("gemini-2.5-flash")) return { thinkingBudget: 0 };
  throw invalidRequest(`${model} always thinks. Its lowest effort is "minimal" or "low".`);
}

const budgets = { minimal: 1_024, low: 1_024, medium: 8_192, high: 24_576 } as const;
