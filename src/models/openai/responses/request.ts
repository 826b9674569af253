import type { JsonObject, JsonValue } from "../../../json/value.js";
import type { ToolDefinition } from "../../contract/chat-model.js";
import { invalidRequest } from "../../contract/errors.js";
import { requestFields, fieldsOrUndefined } from "../../loose.js";
import { effortOf, formatFields, functionFields, type OpenAIRequest } from "../request/request-parts.js";
import { toResponsesInput } from "./messages.js";

export function toResponsesRequest(request: OpenAIRequest): JsonObject {
  const { model, messages, call, rules, systemRole, dialects } = request;
  const { temperature, topP, maxTokens, tools = [], toolChoice, responseFormat } = call;
  for (const name of ["stop", "seed"] as const) {
    if (call[name] === undefined) continue;
    throw invalidRequest(`${api} does not support "${name}". Use Chat Completions (api: "chat").`);
  }
  // These fields of `extra` are merged with the options of the call.
  const { reasoning, text, ...extra } = call.extra ?? {};
  const effort = effortOf(call, api);
  const format = responseFormat && { type: "json_schema", ...formatFields(responseFormat, dialects) };
  return requestFields({
    model,
    input: toResponsesInput(messages, {
      systemRole,
      stored: extra["store"] !== false,
      official: rules.official,
    }),
    stream: true,
    temperature,
    top_p: topP,
    max_output_tokens: maxTokens,
    tools: tools.length === 0 ? undefined : tools.map((tool) => toTool(tool, request)),
    tool_choice: typeof toolChoice === "object" ? { type: "function", name: toolChoice.name } : toolChoice,
    parallel_tool_calls: tools.length === 0 ? undefined : call.parallelToolCalls,
    reasoning: joined({ effort }, reasoning),
    text: joined({ format }, text),
    ...extra,
  });
}

/** Sets `strict` explicitly, because the default of this API is true, unlike Chat Completions. */
function toTool(tool: ToolDefinition, { dialects }: OpenAIRequest): JsonObject {
  const form = tool.forms?.["openai"];
  return form ?? { ...tool.metadata, type: "function", strict: false, ...functionFields(tool, dialects) };
}

function joined(
  fields: Readonly<Record<string, JsonValue | undefined>>,
  own: JsonValue | undefined,
): JsonObject | undefined {
  return fieldsOrUndefined({ ...fields, ...(own as JsonObject | undefined) }) as JsonObject | undefined;
}

const api = "The Responses API";
