import type { JsonObject } from "../../../json/value.js";
import type { FileBlock, ImageBlock } from "../../../messages/blocks/media-blocks.js";
import type { HumanMessage, Message, ToolMessage } from "../../../messages/message.js";
import { isCallBlock } from "../../../messages/blocks/read.js";
import { isRecord, nonEmptyText, requestFields } from "../../loose.js";
import { inputWriters, toFileSource, toInputContent } from "../request/input-parts.js";
import { mediaUrl, required } from "../../dialect/media.js";
import type { SystemRole } from "../request/request-parts.js";
import { idWithin } from "../../dialect/call-ids.js";
import { isCustomCall, type ItemRules, longestCallId, toAssistantItems } from "./assistant-items.js";

export function toResponsesInput(
  messages: readonly Message[],
  { systemRole, ...rules }: ItemRules & { readonly systemRole: SystemRole },
): JsonObject[] {
  const custom = customCallsOf(messages);
  return messages.flatMap((message): JsonObject[] => {
    switch (message.role) {
      case "system":
        return [{ role: systemRole, content: toInputContent(message, writers, api) }];
      case "user":
        return toUserItems(message);
      case "assistant":
        return toAssistantItems(message, rules);
      case "tool":
        return [toToolOutput(message, custom)];
    }
  });
}

/** An item, such as the approval of a call, is separate. A part stays in the content. */
function toUserItems({ role, content }: HumanMessage): JsonObject[] {
  const items = content.flatMap((block) =>
    block.type === "non_standard" && !isPart(block.value) ? [block.value as JsonObject] : [],
  );
  const parts = content.filter((block) => block.type !== "non_standard" || isPart(block.value));
  return parts.length === 0
    ? items
    : [{ role, content: toInputContent({ role, content: parts }, writers, api) }, ...items];
}

function isPart(value: unknown): boolean {
  return isRecord(value) && nonEmptyText(value["type"])?.startsWith("input_") === true;
}

function toToolOutput(message: ToolMessage, custom: ReadonlySet<string | undefined>): JsonObject {
  const { toolCallId } = message;
  const type = custom.has(toolCallId) ? "custom_tool_call_output" : "function_call_output";
  const output = toInputContent(message, writers, api);
  return { type, call_id: idWithin(toolCallId, longestCallId), output };
}

/** Ids of calls of free-text tools, whose results have a different type. */
function customCallsOf(messages: readonly Message[]): ReadonlySet<string | undefined> {
  const calls = messages.flatMap(({ content }) => content.filter(isCallBlock));
  return new Set(calls.filter(isCustomCall).map(({ id }) => id));
}

const api = "The Responses API";

const writers = inputWriters({
  api,
  text: (text) => ({ type: "input_text", text }),
  image: (block) => ({ type: "input_image", detail: block.detail ?? "auto", ...toImageSource(block) }),
  file: (block) => ({ type: "input_file", ...(toFileSource(block) ?? toFileUrl(block)) }),
});

function toImageSource(block: ImageBlock): JsonObject {
  if (block.fileId !== undefined) return { file_id: block.fileId };
  return { image_url: required(mediaUrl(block), block, api, "a url, data or a fileId") };
}

function toFileUrl(block: FileBlock): JsonObject {
  const file_url = required(block.url, block, api, "a url, data or a fileId");
  return requestFields({ file_url, filename: block.filename });
}
