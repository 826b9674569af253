import type { JsonObject } from "../../../json/value.js";
import type { HumanMessage, Message, ToolMessage } from "../../../messages/message.js";
import { isRecord, nonEmptyText } from "../../loose.js";
import { toInputContent } from "../request/input-parts.js";
import type { SystemRole } from "../request/roles.js";
import { toAssistantItems } from "./output.js";
import { responsesPartWriters } from "./parts.js";

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
        return [{ role: systemRole, content: toInputContent(message.content, "system", responsesPartWriters) }];
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
