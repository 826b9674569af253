import type { JsonObject } from "../../json/value.js";
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import { isCallBlock } from "../../messages/blocks/read.js";
import type { Message } from "../../messages/message.js";
import { reasoningOf } from "../../messages/blocks/read.js";
import { invalidRequest } from "../contract/errors.js";
import { requestFields } from "../loose.js";
import { argumentsOfCall } from "../request/call-arguments.js";
import { misplacedCallError, unreadableBlockError } from "../request/request-errors.js";
import { base64Of, plainTextOf } from "../request/media.js";

/**
 * Converts messages for Ollama: the texts of a message are joined, and its images are a separate field. Thoughts are
 * sent back, because the templates of some models need them.
 *
 * @throws {ModelError} `invalid_request` for content that Ollama does not support
 */
export function toOllamaMessages(messages: readonly Message[]): JsonObject[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    const { role } = message;
    const content = message.content.map((block) => textIn(block, role)).join("");
    const images = message.content.flatMap(imageIn);
    const fields = { role, content, images: images.length === 0 ? undefined : images };
    if (role === "tool") {
      const { toolCallId } = message;
      const tool_name = names.get(toolCallId) ?? message.name;
      return requestFields({ ...fields, tool_name, tool_call_id: toolCallId });
    }
    if (role !== "assistant") return requestFields(fields);
    const calls = message.content.flatMap(callIn);
    for (const { id, function: called } of calls) if (id !== undefined) names.set(id, called.name);
    const thinking = reasoningOf(message);
    return requestFields({
      ...fields,
      thinking: thinking === "" ? undefined : thinking,
      tool_calls: calls.length === 0 ? undefined : calls.map((call) => requestFields({ ...call })),
    });
  });
}

/** The text of a block. */
function textIn(block: ContentBlock, role: Message["role"]): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "text-plain":
      return plainTextOf(block, "Ollama");
    case "image":
    case "reasoning":
    case "server_tool_call":
    case "server_tool_call_chunk":
    case "server_tool_result":
      return "";
    case "tool_call":
    case "tool_call_chunk":
    case "invalid_tool_call":
      if (role === "assistant") return "";
      throw misplacedCallError(block, role);
    case "non_standard":
      // Blocks specific to another provider are dropped.
      if (role === "assistant") return "";
      throw invalidRequest("Ollama does not accept provider-specific blocks (non_standard) in a message.");
    case "audio":
    case "video":
    case "file":
      throw invalidRequest(`Ollama does not accept a block of type "${block.type}".`);
  }
}

function imageIn(block: ContentBlock): string[] {
  if (block.type !== "image") return [];
  const { url, data } = block;
  // Ollama detects the type from the bytes.
  const source = data ?? (url === undefined ? undefined : base64Of(block)?.data);
  if (source === undefined) throw unreadableBlockError(block, "Ollama", "data, or a data: URL");
  return [source];
}

interface OllamaCall {
  readonly id: string | undefined;
  readonly function: { readonly name: string; readonly arguments: JsonObject };
}

function callIn(block: ContentBlock): OllamaCall[] {
  if (!isCallBlock(block)) return [];
  const { id, name = "unknown" } = block;
  return [{ id, function: { name, arguments: argumentsOfCall(block) } }];
}
