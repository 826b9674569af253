import type { ToolInvocation } from "../../tools/run/runtime.js";

/** Selects tool calls: by the names of the tools, or with a function. */
export type ToolSelection = readonly string[] | ((call: ToolInvocation) => boolean);

/** Whether a call is selected. Without a selection, all are. */
export function isSelected(selection: ToolSelection | undefined, call: ToolInvocation): boolean {
  if (selection === undefined) return true;
  return typeof selection === "function" ? selection(call) : selection.includes(call.name);
}
