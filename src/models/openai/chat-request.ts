import type { JsonObject, JsonValue } from "../../json/value.js";
import type { Message } from "../../messages/message.js";
import type { CallOptions, ToolDefinition } from "../chat-model.js";
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
  const { temperature, maxTokens, stop, seed, tools = [], toolChoice, responseFormat, extra } = call;
  return present({
    model,
    messages: toOpenAIMessages(messages),
    stream: true,
    stream_options: { include_usage: true },
    temperature,
    [official ? "max_completion_tokens" : "max_tokens"]: maxTokens,
    stop: typeof stop === "object" ? [...stop] : stop,
    seed,
    tools: tools.length === 0 ? undefined : tools.map(toTool),
    tool_choice:
      typeof toolChoice === "object" ? { type: "function", function: { name: toolChoice.name } } : toolChoice,
    response_format: responseFormat && {
      type: "json_schema",
      json_schema: {
        name: responseFormat.name,
        schema: responseFormat.schema,
        strict: responseFormat.strict ?? true,
      },
    },
    ...extra,
  });
}

function toTool({ name, description, parameters, strict }: ToolDefinition): JsonObject {
  return { type: "function", function: present({ name, description, parameters, strict }) };
}

function present(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}
