import type { JsonObject } from "../../json/value.js";
import type { Message } from "../../messages/message.js";
import { withoutMarks } from "../../schema/without-marks.js";
import type { CallOptions, ReasoningOptions, ResponseFormat, ToolDefinition } from "../chat-model.js";
import { ModelError } from "../errors.js";
import { requestFields } from "../loose.js";
import { toOpenAIMessages } from "./chat-messages.js";
import type { SystemRole } from "./roles.js";
import { strictSchema } from "./strict-schema.js";

/** What is asked, and of whom. */
export interface ChatRequest {
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
export function chatRequest({ model, messages, call, official, systemRole }: ChatRequest): JsonObject {
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
    reasoning_effort: effortOf(call.reasoning, "Chat Completions"),
    response_format: call.responseFormat && {
      type: "json_schema",
      json_schema: formatOf(call.responseFormat),
    },
    ...call.extra,
  });
}

/** @throws {ModelError} `invalid_request` if a number of tokens is asked for */
export function effortOf(reasoning: ReasoningOptions | undefined, api: string): string | undefined {
  if (reasoning?.maxTokens === undefined) return reasoning?.effort;
  throw new ModelError(
    "invalid_request",
    `${api} takes an effort of reasoning, but no number of tokens for it.`,
  );
}

/** `{name, schema, strict}`. The schema is made strict unless the format says that it should not be. */
export function formatOf({ name, schema, strict = true }: ResponseFormat): JsonObject {
  const subject = `the response format ${JSON.stringify(name)}`;
  return { name, schema: strict ? strictSchema(schema, subject) : withoutMarks(schema), strict };
}

/** `{name, description, parameters, strict}`. The schema is made strict where the tool asks for it. */
export function functionOf({ name, description, parameters, strict }: ToolDefinition): JsonObject {
  const subject = `the tool ${JSON.stringify(name)}`;
  const schema = strict === true ? strictSchema(parameters, subject) : withoutMarks(parameters);
  return requestFields({ name, description, parameters: schema, strict });
}

function toTool(tool: ToolDefinition): JsonObject {
  return { type: "function", function: functionOf(tool) };
}
