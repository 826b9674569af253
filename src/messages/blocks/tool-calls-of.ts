import type { JsonObject } from "../../json/value.js";
import type { HasContent } from "./text-of.js";

/** A call that can be run: its arguments are complete, and a JSON object. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}

/**
 * The calls of a message that can be run. Not those that are still being written (`tool_call_chunk`) or are broken
 * (`invalid_tool_call`): these stand in `content`.
 */
export function toolCallsOf(message: HasContent): ToolCall[] {
  return message.content.flatMap((block) =>
    block.type === "tool_call" ? [{ id: block.id, name: block.name, args: block.args }] : [],
  );
}
