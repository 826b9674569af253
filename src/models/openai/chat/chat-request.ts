import type { JsonObject } from "../../../json/value.js";
import type { Message } from "../../../messages/message.js";
import type { CallOptions, ToolDefinition } from "../../contract/chat-model.js";
import { requestFields } from "../../loose.js";
import { toOpenAIMessages } from "./openai-messages.js";
import {
  toReasoningEffort,
  toJsonSchemaFormat,
  toFunctionFields,
  type SystemRole,
} from "../request/request-parts.js";

/** What is asked, and of whom. */
interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly call: CallOptions;
  /**
   * OpenAI itself takes the limit as `max_completion_tokens` only, from its reasoning models on; most servers that speak
   * the same know `max_tokens` only.
   */
  readonly official: boolean;
  readonly systemRole: SystemRole;
}

/**
 * The body of a request to Chat Completions.
 *
 * @throws {ModelError} `invalid_request` for what the API has no way to say
 */
export function toChatRequest({ model, messages, call, official, systemRole }: ChatRequest): JsonObject {
  const { temperature, topP, maxTokens, stop, seed, tools = [], toolChoice } = call;
  return requestFields({
    model,
    messages: toOpenAIMessages(messages, systemRole),
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
