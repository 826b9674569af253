import { checkListOf } from "../../text/check-options.js";
import { jsonText } from "../../text/json-text.js";
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import { isFinishedCall, textOf } from "../../messages/blocks/read.js";
import type { Message } from "../../messages/message.js";
import { idOfMessage } from "../run/conversation.js";
import type { AgUiContent, AgUiMessage, AgUiPart, AgUiSource, AgUiToolCall } from "./messages.js";

/**
 * Converts messages to the format of AG-UI, for example for the `initialMessages` of a client that shows an earlier
 * conversation.
 *
 * Reasoning is dropped, because clients cannot send its signatures back. Existing ids are kept.
 *
 * @param createId creates the id of a message without one. Default: by its place, so that it is the same after a reload
 *
 * @example
 * ```ts
 * import { user } from "millrace";
 * import { toAgUiMessages } from "millrace/serve";
 *
 * console.log(toAgUiMessages([user("Hi")], () => "1")); // [{ id: "1", role: "user", content: "Hi" }]
 * ```
 */
export function toAgUiMessages(
  messages: readonly Message[],
  createId: (index: number) => string = (index) => idOfMessage({}, index),
): AgUiMessage[] {
  checkListOf("toAgUiMessages()", "messages", messages);
  return messages.map((message, index) => {
    const { id = createId(index), name } = message;
    const base = { id, ...(name === undefined ? undefined : { name }) };
    switch (message.role) {
      case "system":
        return { ...base, role: "system", content: textOf(message) };
      case "user":
        return { ...base, role: "user", content: toAgUiContent(message.content) };
      case "tool":
        return { id, role: "tool", ...toolFields(message) };
      case "assistant": {
        const text = textOf(message) || (message.refusal ?? "");
        const calls = message.content.flatMap(toCall);
        return {
          ...base,
          role: "assistant",
          ...(text === "" && calls.length > 0 ? undefined : { content: text }),
          ...(calls.length === 0 ? undefined : { toolCalls: calls }),
        };
      }
    }
  });
}

/** The fields of a tool result, for a message and for an event. */
export function toolFields({ toolCallId, content, status }: Extract<Message, { role: "tool" }>): {
  readonly toolCallId: string;
  readonly content: AgUiContent;
  readonly metadata?: { readonly status: "error" };
} {
  return {
    toolCallId,
    content: toAgUiContent(content),
    ...(status === "error" ? { metadata: { status } } : undefined),
  };
}

/** Returns a string if all parts are text. Blocks without an AG-UI part are dropped. */
function toAgUiContent(content: readonly ContentBlock[]): AgUiContent {
  const parts = content.flatMap(toPart);
  return parts.every((part) => part.type === "text") ? parts.map(({ text }) => text).join("") : parts;
}

function toPart(block: ContentBlock): AgUiPart | [] {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "text-plain":
      return block.text === undefined ? [] : { type: "text", text: block.text };
    case "image":
    case "audio":
    case "video":
    case "file": {
      const source = toSource(block);
      return source === undefined ? [] : { type: block.type === "file" ? "document" : block.type, source };
    }
    default:
      return [];
  }
}

type MediaPart = Extract<ContentBlock, { type: "image" | "audio" | "video" | "file" }>;

function toSource({ url, data, fileId, mimeType }: MediaPart): AgUiSource | undefined {
  const type = mimeType === undefined ? undefined : { mimeType };
  if (url !== undefined) return { type: "url", value: url, ...type };
  if (fileId !== undefined) return { type: "file", value: fileId, ...type };
  return data === undefined
    ? undefined
    : { type: "data", value: data, mimeType: mimeType ?? "application/octet-stream" };
}

function toCall(block: ContentBlock): AgUiToolCall | [] {
  if (!isFinishedCall(block)) return [];
  const { id, name = "" } = block;
  const text = block.type === "tool_call" ? jsonText(block.args).text : block.args;
  return { id, type: "function", function: { name, arguments: text } };
}
