import type { JsonObject } from "../../../json/value.js";
import type { Message } from "../../../messages/message.js";
import type { CallOptions, ToolDefinition } from "../../contract/chat-model.js";
import { requestFields } from "../../loose.js";
import { toOpenAIMessages } from "./messages.js";
import {
  toReasoningEffort,
  toJsonSchemaFormat,
  toFunctionFields,
  type SystemRole,
} from "../request/request-parts.js";

/** The input of `toChatRequest()`. */
interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly call: CallOptions;
  /**
   * Whether the server is OpenAI. Then `max_completion_tokens` is used, which OpenAI requires for reasoning models. Most
   * compatible servers support only `max_tokens`, and some require fields that only they know (`serverEchoes()`).
   */
  readonly official: boolean;
  readonly systemRole: SystemRole;
}

/**
 * The body of a request to Chat Completions.
 *
 * @throws {ModelError} `invalid_request` for content or options that the API does not support
 */
export function toChatRequest({ model, messages, call, official, systemRole }: ChatRequest): JsonObject {
  const { temperature, topP, maxTokens, stop, seed, tools = [], toolChoice } = call;
  return requestFields({
    model,
    messages: toOpenAIMessages(messages, systemRole, official),
    stream: true,
    stream_options: { include_usage: true },
    temperature,
    top_p: topP,
    [official ? "max_completion_tokens" : "max_tokens"]: maxTokens,
    stop: typeof stop === "object" ? [...stop] : stop,
    seed,
    tools: tools.length === 0 ? undefined : tools.map(toTool),
    tool_choice:
      typeof toolChoice === "object" ? { type: "function", function: { name: toolChoice.name } } : toolChoice,
    parallel_tool_calls: tools.length === 0 ? undefined : call.parallelToolCalls,
    reasoning_effort: toReasoningEffort(call.reasoning, "Chat Completions"),
    response_format: call.responseFormat && {
      type: "json_schema",
      json_schema: toJsonSchemaFormat(call.responseFormat),
    },
    ...call.extra,
  });
}

function toTool(tool: ToolDefinition): JsonObject {
  return { type: "function", function: toFunctionFields(tool) };
}
