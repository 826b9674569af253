import type { JsonObject, JsonValue } from "../../json/value.js";
import type { ContentBlock } from "../../messages/blocks.js";
import type { AudioBlock, FileBlock, ImageBlock } from "../../messages/media-blocks.js";
import type { Message } from "../../messages/message.js";
import { textOf } from "../../messages/text-of.js";
import { ModelError } from "../errors.js";
import { requestFields } from "../loose.js";
import { base64Of, plainTextOf, unreadable, urlOf } from "../media.js";

/**
 * Messages as Chat Completions takes them. Reasoning is left out: the API has no place for it, and DeepSeek refuses a
 * request that has it.
 */
export function toOpenAIMessages(messages: readonly Message[]): JsonObject[] {
  return messages.map(toOpenAIMessage);
}

function toOpenAIMessage(message: Message): JsonObject {
  const name: JsonObject = message.name === undefined ? {} : { name: message.name };
  switch (message.role) {
    case "system":
      return { role: "system", content: contentOf(message), ...name };
    case "user":
      return { role: "user", content: contentOf(message), ...name };
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: contentOf(message) };
    case "assistant": {
      const calls = message.content.flatMap(toToolCall);
      const text = textOf(message);
      return {
        role: "assistant",
        content: text === "" && calls.length > 0 ? null : text,
        ...name,
        ...(message.refusal === undefined ? undefined : { refusal: message.refusal }),
        ...(calls.length === 0 ? undefined : { tool_calls: calls }),
      };
    }
  }
}

/** A text where there is nothing but text, which every server understands; else parts. */
function contentOf(message: Message): JsonValue {
  if (message.content.every((block) => block.type === "text")) return textOf(message);
  return message.content.flatMap((block) => toPart(block, message.role));
}

function toPart(block: ContentBlock, role: string): JsonObject[] {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text }];
    case "image":
      return [{ type: "image_url", image_url: imageOf(block) }];
    case "non_standard":
      return [block.value as JsonObject];
    case "audio":
      return [{ type: "input_audio", input_audio: audioOf(block) }];
    case "file":
      return [{ type: "file", file: fileOf(block) }];
    case "text-plain":
      return [{ type: "text", text: plainTextOf(block, api) }];
    case "reasoning":
    case "server_tool_call":
    case "server_tool_call_chunk":
    case "server_tool_result":
      return [];
    case "video":
      throw new ModelError("invalid_request", "Chat Completions reads no video.");
    case "tool_call":
    case "tool_call_chunk":
    case "invalid_tool_call":
      throw new ModelError(
        "invalid_request",
        `A message of the role "${role}" holds a ${block.type}; only an assistant calls tools.`,
      );
  }
}

function imageOf(block: ImageBlock): JsonObject {
  const url = urlOf(block);
  if (url === undefined) throw unreadable(block, api, "a url or data");
  return { url, ...(block.detail === undefined ? undefined : { detail: block.detail }) };
}

function audioOf(block: AudioBlock): JsonObject {
  const source = base64Of(block);
  if (source === undefined) throw unreadable(block, api, "data");
  return { data: source.data, format: source.mimeType.replace(/^audio\/(?:x-)?/, "").replace("mpeg", "mp3") };
}

function fileOf(block: FileBlock): JsonObject {
  const { fileId, filename } = block;
  if (fileId !== undefined) return { file_id: fileId };
  const source = base64Of(block);
  if (source === undefined) throw unreadable(block, api, "data or a fileId");
  return requestFields({ file_data: `data:${source.mimeType};base64,${source.data}`, filename });
}

const api = "Chat Completions";

/** A broken call goes back as it was written: the model is to see what it did. */
function toToolCall(block: ContentBlock, index: number): JsonObject[] {
  switch (block.type) {
    case "tool_call":
      return [call(block.id, block.name, JSON.stringify(block.args))];
    case "invalid_tool_call":
    case "tool_call_chunk":
      return [call(block.id ?? `call_${index}`, block.name ?? "unknown", block.args ?? "")];
    default:
      return [];
  }
}

function call(id: string, name: string, args: string): JsonObject {
  return { id, type: "function", function: { name, arguments: args } };
}
