import type { JsonObject } from "../../../json/value.js";
import type { FileBlock, ImageBlock } from "../../../messages/blocks/media-blocks.js";
import type { HumanMessage, Message, ToolMessage } from "../../../messages/message.js";
import { isRecord, nonEmptyText, requestFields } from "../../loose.js";
import { type InputPartWriters, toFileSource, toInputContent } from "../request/input-parts.js";
import { urlOf } from "../../request/media.js";
import { unreadableBlockError } from "../../request/request-errors.js";
import type { SystemRole } from "../request/request-parts.js";
import { toAssistantItems } from "./assistant-items.js";

/** Messages as the items that the Responses API takes. */
export function toResponsesInput(
  messages: readonly Message[],
  systemRole: SystemRole,
  stored: boolean,
): JsonObject[] {
  const custom = customCallsOf(messages);
  return messages.flatMap((message): JsonObject[] => {
    switch (message.role) {
      case "system":
        return [
          { role: systemRole, content: toInputContent(message.content, "system", responsesPartWriters) },
        ];
      case "user":
        return saidBy(message);
      case "assistant":
        return toAssistantItems(message, stored);
      case "tool":
        return [resultOf(message, custom)];
    }
  });
}

/** An item that only the provider knows, such as the leave to call a tool, stands for itself; a part of a content in it. */
function saidBy({ content }: HumanMessage): JsonObject[] {
  const items = content.flatMap((block) =>
    block.type === "non_standard" && !isPart(block.value) ? [block.value as JsonObject] : [],
  );
  const said = content.filter((block) => block.type !== "non_standard" || isPart(block.value));
  return said.length === 0
    ? items
    : [{ role: "user", content: toInputContent(said, "user", responsesPartWriters) }, ...items];
}

function isPart(value: unknown): boolean {
  return isRecord(value) && nonEmptyText(value["type"])?.startsWith("input_") === true;
}

function resultOf({ toolCallId, content }: ToolMessage, custom: ReadonlySet<string>): JsonObject {
  const type = custom.has(toolCallId) ? "custom_tool_call_output" : "function_call_output";
  return { type, call_id: toolCallId, output: toInputContent(content, "tool", responsesPartWriters) };
}

/** The calls of tools that take any text: their results have another name. */
function customCallsOf(messages: readonly Message[]): ReadonlySet<string> {
  const ids = messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === "tool_call" && block.metadata?.["type"] === "custom_tool_call" ? [block.id] : [],
    ),
  );
  return new Set(ids);
}

/** What is said to the model, as the Responses API has it. */
const responsesPartWriters: InputPartWriters = {
  api: "The Responses API",
  text: (text) => ({ type: "input_text", text }),
  image: (block) => ({ type: "input_image", detail: block.detail ?? "auto", ...imageOf(block) }),
  file: (block) => ({ type: "input_file", ...(toFileSource(block) ?? fileAt(block)) }),
};

function imageOf(block: ImageBlock): JsonObject {
  if (block.fileId !== undefined) return { file_id: block.fileId };
  const url = urlOf(block);
  if (url === undefined)
    throw unreadableBlockError(block, responsesPartWriters.api, "a url, data or a fileId");
  return { image_url: url };
}

function fileAt(block: FileBlock): JsonObject {
  const { url, filename } = block;
  if (url === undefined)
    throw unreadableBlockError(block, responsesPartWriters.api, "a url, data or a fileId");
  return requestFields({ file_url: url, filename });
}
