import type { JsonObject } from "../../../json/value.js";
import type { HumanMessage, Message, ToolMessage } from "../../../messages/message.js";
import { isRecord, textIn } from "../../loose.js";
import { inputOf } from "../request/input-parts.js";
import type { SystemRole } from "../request/roles.js";
import { outputOf } from "./output.js";
import { responsesParts } from "./parts.js";

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
        return [{ role: systemRole, content: inputOf(message.content, "system", responsesParts) }];
      case "user":
        return saidBy(message);
      case "assistant":
        return outputOf(message, stored);
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
    : [{ role: "user", content: inputOf(said, "user", responsesParts) }, ...items];
}

function isPart(value: unknown): boolean {
  return isRecord(value) && textIn(value["type"])?.startsWith("input_") === true;
}

function resultOf({ toolCallId, content }: ToolMessage, custom: ReadonlySet<string>): JsonObject {
  const type = custom.has(toolCallId) ? "custom_tool_call_output" : "function_call_output";
  return { type, call_id: toolCallId, output: inputOf(content, "tool", responsesParts) };
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
