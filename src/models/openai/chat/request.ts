import type { JsonObject } from "../../../json/value.js";
import type { ToolDefinition } from "../../contract/chat-model.js";
import { invalidRequest } from "../../contract/errors.js";
import { requestFields } from "../../loose.js";
import { toOpenAIMessages } from "./messages.js";
import { effortOf, formatFields, functionFields, type OpenAIRequest } from "../request/request-parts.js";

export function toChatRequest(request: OpenAIRequest): JsonObject {
  const { model, messages, call, rules, systemRole, dialects } = request;
  const { temperature, topP, maxTokens, stop, seed, tools = [], toolChoice } = call;
  return requestFields({
    model,
    messages: toOpenAIMessages(messages, systemRole, rules),
    stream: true,
    stream_options: rules.atMistral ? undefined : { include_usage: true },
    // Otherwise it sends its headers with the first token, and Node's fetch() waits for them for 5 minutes only.
    return_progress: rules.server === "llama.cpp" ? true : undefined,
    temperature,
    top_p: topP,
    [rules.limit]: maxTokens,
    stop: typeof stop === "object" ? [...stop] : stop,
    [rules.atMistral ? "random_seed" : "seed"]: seed,
    tools: tools.length === 0 ? undefined : tools.map((tool) => toTool(tool, request)),
    tool_choice:
      typeof toolChoice === "object" ? { type: "function", function: { name: toolChoice.name } } : toolChoice,
    parallel_tool_calls: tools.length === 0 ? undefined : call.parallelToolCalls,
    reasoning_effort: effortOf(call, "Chat Completions"),
    response_format: call.responseFormat && {
      type: "json_schema",
      json_schema: formatFields(call.responseFormat, dialects),
    },
    ...call.extra,
  });
}

/** Gateways read `cache_control` and `defer_loading` beside the function. OpenAI refuses fields that it does not know. */
function toTool(tool: ToolDefinition, { dialects, rules }: OpenAIRequest): JsonObject {
  const form = tool.forms?.["openai"];
  if (form !== undefined && rules.official)
    throw invalidRequest(
      `Chat Completions does not support the server tool "${tool.name}". Use the Responses API (api: "responses").`,
    );
  if (form !== undefined) return form;
  return { ...tool.metadata, type: "function", function: functionFields(tool, dialects) };
}
