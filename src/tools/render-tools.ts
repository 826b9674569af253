import type { AnyTool } from "./define/any-tool.js";

/** A tool, as far as a text tells of it. */
export type RenderedTool = Pick<AnyTool, "name" | "description" | "parameters">;

/**
 * The tools as a text for a prompt, one a line: `name: description`. For models that cannot be given tools.
 *
 * @example
 * ```ts
 * import { renderTools, tool } from "millrace";
 *
 * console.log(renderTools([tool({ name: "search", description: "Looks something up.", run: () => "" })]));
 * ```
 */
export function renderTools(tools: readonly RenderedTool[]): string {
  return tools.map(line).join("\n");
}

/**
 * `renderTools()` with the arguments of each tool, as the JSON Schema of its properties: `name: description, args: {…}`.
 *
 * @example
 * ```ts
 * import { renderToolsWithArgs, tool } from "millrace";
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
