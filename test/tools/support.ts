import { type AnyTool, collect, textOf } from "millrace";
import { runTool, type ToolEvent, type ToolRunOptions } from "millrace/agent";
import type { JsonObject } from "millrace";

/** What a run of the tool yields. */
export function eventsOf(
  tool: AnyTool,
  args: JsonObject = {},
  options?: ToolRunOptions,
): Promise<ToolEvent[]> {
  return collect(runTool(tool, { id: "call_1", name: tool.name, args }, options));
}

/** What the model is told in the end. */
export async function toldBy(tool: AnyTool, args?: JsonObject, options?: ToolRunOptions): Promise<string> {
  const last = (await eventsOf(tool, args, options)).at(-1);
  if (last === undefined || last.type === "progress") throw new Error("The run has not ended.");
  return textOf(last.message);
}

/** Never settles, whatever is aborted. */
export function forever(): Promise<never> {
  return new Promise(() => {});
}
