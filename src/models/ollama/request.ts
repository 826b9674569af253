import type { JsonObject, JsonValue } from "../../json/value.js";
import type { Message } from "../../messages/message.js";
import type { CallOptions, ReasoningOptions, ToolDefinition } from "../contract/chat-model.js";
import { invalidRequest, type ModelError } from "../contract/errors.js";
import { unchanged } from "../dialect/dialect.js";
import { extrasOfTool } from "../dialect/refuse.js";
import { writeFormat, writeParameters } from "../dialect/write-schema.js";
import { asRecord, fieldsOrUndefined, requestFields } from "../loose.js";
import { toOllamaMessages } from "./messages.js";
import { ollamaSchema } from "./schema.js";

export function ollamaRequest(model: string, messages: readonly Message[], call: CallOptions): JsonObject {
  const { stop, responseFormat, extra } = call;
  const options = {
    temperature: call.temperature,
    top_p: call.topP,
    num_predict: call.maxTokens,
    stop: typeof stop === "string" ? [stop] : stop && [...stop],
    seed: call.seed,
    ...(asRecord(extra?.["options"]) as JsonObject),
  };
  const tools = toolsOf(call);
  return requestFields({
    model,
    messages: toOllamaMessages(messages),
    stream: true,
    tools: tools.length === 0 ? undefined : tools,
    format: responseFormat && writeFormat(responseFormat, ollamaSchema),
    think: thinkOf(call.reasoning),
    ...extra,
    options: fieldsOrUndefined(options) as JsonObject | undefined,
  });
}

/** Ollama has no tool choice: to forbid calls, no tools are sent. */
function toolsOf({ tools = [], toolChoice = "auto", parallelToolCalls }: CallOptions): JsonObject[] {
  if (parallelToolCalls === false) throw unsupported("parallelToolCalls: false");
  if (toolChoice === "none") return [];
  if (toolChoice !== "auto") throw unsupported("a forced tool call (toolChoice)");
  return tools.map(toTool);
}

function toTool(tool: ToolDefinition): JsonObject {
  const { name, description, strict } = tool;
  if (strict === true) throw unsupported(`strict tools, such as ${JSON.stringify(name)}`);
  extrasOfTool(tool, [], "Ollama");
  return {
    type: "function",
    function: requestFields({ name, description, parameters: writeParameters(tool, unchanged) }),
  };
}

/** Models with levels have three. For other models the server validates the value. */
function thinkOf({ effort, maxTokens }: ReasoningOptions = {}): JsonValue | undefined {
  if (maxTokens !== undefined) throw unsupported("reasoning.maxTokens");
  if (effort === "minimal")
    throw unsupported('reasoning.effort "minimal". Use "none", "low", "medium" or "high"');
  return effort === "none" ? false : effort;
}

function unsupported(what: string): ModelError {
  return invalidRequest(`Ollama does not support ${what}.`);
}
