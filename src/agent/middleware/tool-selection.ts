import type { ToolInvocation } from "../../tools/run/invocation.js";

/** Which calls of tools a middleware is about: those of the tools of these names, or those that the function says. */
export type ToolSelection = readonly string[] | ((call: ToolInvocation) => boolean);

/** Without a selection, all. */
export function isSelected(selection: ToolSelection | undefined, call: ToolInvocation): boolean {
  if (selection === undefined) return true;
  return typeof selection === "function" ? selection(call) : selection.includes(call.name);
}
