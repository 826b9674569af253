import type { JsonObject, JsonValue } from "../../../json/value.js";
import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import type { AudioBlock } from "../../../messages/blocks/media-blocks.js";
import type { AssistantMessage, Message, ToolMessage } from "../../../messages/message.js";
import { isCallBlock } from "../../../messages/blocks/read.js";
import { type Writers, foreign, writeContent } from "../../dialect/content.js";
import { requestFields } from "../../loose.js";
import { argumentTextOfCall } from "../../dialect/call-arguments.js";
import { mediaUrl, plainTextOf, required } from "../../dialect/media.js";
import { inputWriters, toFileSource, toInputContent } from "../request/input-parts.js";
import type { SystemRole } from "../request/request-parts.js";
import type { ServerRules } from "../request/servers.js";
import { serverEchoes } from "./echoes.js";

/**
 * Converts messages for Chat Completions. Omits reasoning, because OpenAI has no field for it, unless a compatible
 * server requires it (`serverEchoes()`). Also omits calls and results of tools that a provider ran.
 *
 * A tool message may contain only text. Its images, files and sounds follow in a user message after the last tool
 * message, because no other message may stand between calls and their results.
 */
export function toOpenAIMessages(
  messages: readonly Message[],
  systemRole: SystemRole,
  rules: ServerRules,
): JsonObject[] {
  const { callId } = rules;
  const echoes = serverEchoes(messages, rules);

  const toToolCall = (block: ContentBlock, index: number): JsonObject[] => {
    if (!isCallBlock(block)) return [];
    const { id = `call_${index}`, name = "unknown" } = block;
    const called = { name, arguments: argumentTextOfCall(block) };
    return [{ ...echoes.ofCall(block), id: callId(id), type: "function", function: called }];
  };
  const toAssistantFields = (message: AssistantMessage): JsonObject => {
    const { content, refusal } = message;
    const calls = content.flatMap(toToolCall);
    const audio = content.flatMap((block) => (block.type === "audio" ? [toAudioReference(block)] : []));
    const visible = content.filter((block) => !isCallBlock(block) && block.type !== "audio");
    const hasParts = visible.some((block) => block.type === "non_standard");
    const text = hasParts
      ? writeContent({ ...message, content: visible }, writers, api)
      : writeContent({ ...message, content: visible }, answerTexts, api).join("");
    return {
      content: text === "" && (calls.length > 0 || audio.length > 0) ? null : text,
      ...requestFields({ refusal, audio: audio[0] }),
      ...echoes.ofMessage(message, calls.length > 0),
      ...(calls.length === 0 ? undefined : { tool_calls: calls }),
    };
  };
  /** The media of a tool result as parts of a user message, with a text that names the call. */
  const mediaOfResult = ({ content, role, toolCallId }: ToolMessage): JsonObject[] => {
    const parts = writeContent({ role, content: content.filter(isMedium) }, writers, api);
    if (parts.length === 0) return [];
    return [{ type: "text", text: `From the result of the tool call ${callId(toolCallId)}:` }, ...parts];
  };
  const toOpenAIMessage = (message: Message): JsonObject => {
    const { role } = message;
    const name = requestFields({ name: message.name });
    switch (role) {
      case "system":
        return { role: systemRole, content: toInputContent(message, writers, api), ...name };
      case "user":
        return { role, content: toInputContent(message, writers, api), ...name };
      case "tool":
        return { role, tool_call_id: callId(message.toolCallId), content: toResultContent(message) };
      case "assistant":
        return { role, ...toAssistantFields(message), ...name };
    }
  };
  let media: JsonObject[] = [];
  return messages.flatMap((message, index) => {
    const sent = toOpenAIMessage(message);
    if (message.role !== "tool") return [sent];
    for (const part of mediaOfResult(message)) media.push(part);
    if (messages[index + 1]?.role === "tool" || media.length === 0) return [sent];
    const content = media;
    media = [];
    return [sent, { role: "user", content }];
  });
}

function toResultContent({ content, role }: ToolMessage): JsonValue {
  const texts = content.filter((block) => !isMedium(block));
  return texts.length === 0 && content.length > 0
    ? "The result is in the next user message."
    : toInputContent({ role, content: texts }, writers, api);
}

function isMedium({ type }: ContentBlock): boolean {
  return type === "image" || type === "file" || type === "audio";
}

function toAudioReference(block: AudioBlock): JsonObject {
  const id = block.metadata?.["id"];
  const known = typeof id === "string" ? id : undefined;
  return { id: required(known, block, api, "its id in metadata.id in an assistant message") };
}

const api = "Chat Completions";

const answerTexts: Writers<string> = {
  text: ({ text }) => [text],
  ...foreign,
  "text-plain": (block) => [plainTextOf(block, api)],
};

const writers = inputWriters({
  api,
  text: (text) => ({ type: "text", text }),
  image: (block) => {
    const url = required(mediaUrl(block), block, api, "a url or data");
    return { type: "image_url", image_url: requestFields({ url, detail: block.detail }) };
  },
  file: (block) => ({
    type: "file",
    file: required(toFileSource(block), block, api, "data or a fileId"),
  }),
});
