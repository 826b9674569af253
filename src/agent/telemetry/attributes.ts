import type { ContentBlock } from "../../messages/blocks/blocks.js";
import { textOf } from "../../messages/blocks/read.js";
import type { AssistantMessage, Message } from "../../messages/message.js";
import type { Usage } from "../../messages/usage.js";
import { cut } from "../../text/cut.js";
import { jsonText } from "../../text/json-text.js";
import type { ModelCall } from "../middleware/middleware.js";
import type { OpenTelemetryAttributes } from "./api.js";
import { withoutUndefined } from "../../json/value.js";

/** A name or an id that a model or its server wrote, at any length. Telemetry keeps and sends it many times. */
export function boundedName(name: string | undefined): string | undefined {
  return name === undefined ? undefined : cut(name, 256);
}

/** The tokens of a call or a run. */
export function usageAttributes({ inputTokens, outputTokens, details = {} }: Usage): OpenTelemetryAttributes {
  return withoutUndefined({
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    "gen_ai.usage.cache_read.input_tokens": details.cacheReadTokens,
    "gen_ai.usage.cache_creation.input_tokens": details.cacheWriteTokens,
    "gen_ai.usage.reasoning.output_tokens": details.reasoningTokens,
  });
}

/**
 * The input of a model call in the format of the conventions (`gen-ai-input-messages.json`). It is JSON, because
 * attributes of spans cannot be objects.
 */
export function inputContent({ system, messages }: ModelCall): OpenTelemetryAttributes {
  return withoutUndefined({
    "gen_ai.system_instructions": system && jsonText(system.content.map(toPart)).text,
    "gen_ai.input.messages": jsonText(messages.map(toChatMessage)).text,
  });
}

/** The answer of a model in the format of the conventions (`gen-ai-output-messages.json`). */
export function outputContent(message: AssistantMessage): OpenTelemetryAttributes {
  const answer = { ...toChatMessage(message), finish_reason: message.finishReason };
  return { "gen_ai.output.messages": jsonText([answer]).text };
}

function toChatMessage(message: Message): object {
  const { role, content } = message;
  const parts =
    role === "tool"
      ? [{ type: "tool_call_response", id: message.toolCallId, response: textOf(message) }]
      : content.map(toPart);
  return { role, parts };
}

/**
 * Blocks without a part in the conventions keep their own type, which the conventions allow. Media are sent without
 * data.
 */
function toPart(block: ContentBlock): object {
  switch (block.type) {
    case "text":
      return { type: "text", content: block.text };
    case "reasoning":
      return { type: "reasoning", content: block.reasoning };
    case "tool_call":
    case "invalid_tool_call":
      return { type: "tool_call", id: block.id, name: block.name, arguments: block.args };
    default:
      return { type: block.type };
  }
}
