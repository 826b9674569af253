import { collect, textOf } from "millrace";
import { type AnyTool, runTool, type ToolEvent, type ToolRunOptions } from "millrace/agent";
import type { JsonObject } from "millrace";

/** The events of a run of the tool. */
export function eventsOf(
  tool: AnyTool,
  args: JsonObject = {},
  options?: ToolRunOptions,
): Promise<ToolEvent[]> {
  return collect(runTool(tool, { id: "call_1", name: tool.name, args }, options));
}

/** The text that the model gets. */
export async function toldBy(tool: AnyTool, args?: JsonObject, options?: ToolRunOptions): Promise<string> {
  const last = (await eventsOf(tool, args, options)).at(-1);
  if (last === undefined || last.type === "progress") throw new Error("The run has not ended.");
  return textOf(last.message);
}

/** Never settles, even when aborted. */
export function forever(): Promise<never> {
  return new Promise(() => {});
}
