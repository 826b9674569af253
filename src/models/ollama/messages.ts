import type { JsonObject } from "../../json/value.js";
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import { isCallBlock } from "../../messages/blocks/read.js";
import type { Message } from "../../messages/message.js";
import { reasoningOf } from "../../messages/blocks/read.js";
import { type Writers, callWriters, foreign, noParts, writeContent } from "../dialect/content.js";
import { requestFields } from "../loose.js";
import { argumentsOfCall } from "../dialect/call-arguments.js";
import { base64Of, plainTextOf, required } from "../dialect/media.js";

/** Thoughts are sent back, because the templates of some models need them. */
export function toOllamaMessages(messages: readonly Message[]): JsonObject[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    const { role } = message;
    const writers = role === "assistant" ? answerTexts : texts;
    const content = writeContent(message, writers, api).join("");
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

const texts: Writers<string> = {
  text: ({ text }) => [text],
  ...foreign,
  "text-plain": (block) => [plainTextOf(block, api)],
  image: () => [],
};

/** Blocks specific to another provider are dropped. */
const answerTexts: Writers<string> = { ...texts, ...callWriters(noParts), non_standard: noParts };

function imageIn(block: ContentBlock): string[] {
  if (block.type !== "image") return [];
  // Ollama detects the type from the bytes.
  return [required(block.data ?? base64Of(block)?.data, block, api, "data, or a data: URL")];
}

const api = "Ollama";

function callIn(block: ContentBlock) {
  if (!isCallBlock(block)) return [];
  const { id, name = "unknown" } = block;
  return [{ id, function: { name, arguments: argumentsOfCall(block) } }];
}
