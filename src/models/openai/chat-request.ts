import type { JsonObject } from "../../json/value.js";
import type { Message } from "../../messages/message.js";
import type { CallOptions, ReasoningOptions, ToolDefinition } from "../chat-model.js";
import { ModelError } from "../errors.js";
import { requestFields } from "../loose.js";
import { toOpenAIMessages } from "./chat-messages.js";

/**
 * The body of a request to Chat Completions.
 *
 * @param official OpenAI itself takes the limit as `max_completion_tokens` only, from its reasoning models on; most
 *   servers that speak the same know `max_tokens` only
 */
export function chatRequest(
  model: string,
  messages: readonly Message[],
  call: CallOptions,
  official: boolean,
): JsonObject {
  const {
    temperature,
    topP,
    maxTokens,
    stop,
    seed,
    tools = [],
    toolChoice,
    responseFormat,
    reasoning,
  } = call;
  return requestFields({
    model,
    messages: toOpenAIMessages(messages),
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
    reasoning_effort: effortOf(reasoning),
    response_format: responseFormat && {
      type: "json_schema",
      json_schema: {
        name: responseFormat.name,
        schema: responseFormat.schema,
        strict: responseFormat.strict ?? true,
      },
    },
    ...call.extra,
  });
}

function effortOf(reasoning: ReasoningOptions | undefined): string | undefined {
  if (reasoning?.maxTokens === undefined) return reasoning?.effort;
  throw new ModelError(
    "invalid_request",
    "Chat Completions takes an effort of reasoning, but no number of tokens for it.",
  );
}

function toTool({ name, description, parameters, strict }: ToolDefinition): JsonObject {
  return { type: "function", function: requestFields({ name, description, parameters, strict }) };
}
