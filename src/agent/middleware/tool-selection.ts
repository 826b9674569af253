import { atOnce } from "../../text/check-options.js";
import { kindName } from "../../text/kind-name.js";
import type { AnyTool } from "../../tools/run/any-tool.js";
import type { ToolInvocation } from "../../tools/run/runtime.js";

/** Selects tool calls: by the names of the tools, or with a function. */
export type ToolSelection = readonly string[] | ((call: ToolInvocation, tool: AnyTool) => boolean);

/**
 * Selects the calls of tools whose `effects` say that they may delete or overwrite something. Those of an MCP server do,
 * unless the server says otherwise.
 *
 * @example
 * ```ts
 * import { createAgent, tool } from "millrace";
 * import { humanApproval, isDestructive } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const drop = tool({ name: "drop", effects: { destructive: true }, run: (table) => `dropped ${table}` });
 * const call = { type: "tool_call" as const, id: "call_1", name: "drop", args: { input: "users" } };
 * const agent = createAgent({
 *   model: scriptedModel([{ content: [call] }]),
 *   tools: [drop],
 *   middleware: [humanApproval({ tools: isDestructive })],
 * });
 * console.log((await agent.invoke("Clean up.")).state.status); // "paused"
 * ```
 */
export function isDestructive(_call: ToolInvocation, { effects }: AnyTool): boolean {
  return effects?.destructive === true;
}

/** @throws {TypeError} for anything else, such as tools instead of their names, which would select nothing */
export function checkSelection(option: string, names: unknown): void {
  if (names === undefined || typeof names === "function") return;
  const wrong = Array.isArray(names) ? names.filter((it) => typeof it !== "string") : [names];
  if (wrong.length === 0) return;
  const got = `${Array.isArray(names) ? "an array with " : ""}${kindName(wrong[0])}`;
  throw new TypeError(`The option ${option} is an array of names of tools, or a function, but got ${got}.`);
}

/** Whether a call is selected. Without a selection, all are. */
export function isSelected(
  selection: ToolSelection | undefined,
  { call, tool }: { readonly call: ToolInvocation; readonly tool: AnyTool },
): boolean {
  if (selection === undefined) return true;
  return typeof selection === "function"
    ? atOnce("A selection of tools", selection(call, tool))
    : selection.includes(call.name);
}
