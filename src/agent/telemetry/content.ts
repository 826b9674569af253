import type { ContentBlock } from "../../messages/blocks/blocks.js";
import type { AssistantMessage, Message } from "../../messages/message.js";
import { textOf } from "../../messages/blocks/read.js";
import { known } from "../../models/loose.js";
import type { ModelCall } from "../middleware/middleware.js";
import type { OpenTelemetryAttributes } from "./api.js";

/** What a model is told, in the form of the conventions (`gen-ai-input-messages.json`), as JSON: spans know no objects. */
export function inputContent({ systemPrompt, messages }: ModelCall): OpenTelemetryAttributes {
  return known({
    "gen_ai.system_instructions": systemPrompt && JSON.stringify(systemPrompt.content.map(toPart)),
    "gen_ai.input.messages": JSON.stringify(messages.map(toChatMessage)),
  });
}

/** What it answers (`gen-ai-output-messages.json`). */
export function outputContent(message: AssistantMessage): OpenTelemetryAttributes {
  const answer = { ...toChatMessage(message), finish_reason: message.finishReason };
  return { "gen_ai.output.messages": JSON.stringify([answer]) };
}

function toChatMessage(message: Message): object {
  const { role, content } = message;
  const parts =
    role === "tool"
      ? [{ type: "tool_call_response", id: message.toolCallId, response: textOf(message) }]
      : content.map(toPart);
  return { role, parts };
}

/** What the conventions have no part for is one by its own type, which they allow; of media, without the data. */
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
