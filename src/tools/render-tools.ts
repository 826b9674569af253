import type { AnyTool } from "./run/any-tool.js";

/** The fields of a tool that `renderTools()` reads. */
export type RenderedTool = Pick<AnyTool, "name" | "description" | "parameters">;

/**
 * Lists tools in a prompt, one per line: `name: description`. For models without tool calls.
 *
 * @example
 * ```ts
 * import { tool } from "millrace";
 * import { renderTools } from "millrace/agent";
 *
 * console.log(renderTools([tool({ name: "search", description: "Looks something up.", run: () => "" })]));
 * ```
 */
export function renderTools(tools: readonly RenderedTool[]): string {
  return tools.map(line).join("\n");
}

/**
 * Like `renderTools()`, with the JSON Schema of each tool's properties: `name: description, args: {…}`.
 *
 * @example
 * ```ts
 * import { tool } from "millrace";
 * import { renderToolsWithArgs } from "millrace/agent";
 *
 * const search = tool({ name: "search", description: "Looks something up.", run: () => "" });
 * console.log(renderToolsWithArgs([search])); // search: Looks something up., args: {"input":{"type":"string"}}
 * ```
 */
export function renderToolsWithArgs(tools: readonly RenderedTool[]): string {
  return tools
    .map((tool) => {
      const { parameters } = tool;
      return `${line(tool)}, args: ${JSON.stringify(parameters["properties"] ?? parameters)}`;
    })
    .join("\n");
}

function line({ name, description }: RenderedTool): string {
  return description === undefined ? name : `${name}: ${description}`;
}
