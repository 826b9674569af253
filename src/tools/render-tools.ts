import { checkListOf } from "../text/check-options.js";
import { isObject, type JsonObject } from "../json/value.js";
import type { AnyTool } from "./run/any-tool.js";

/** The fields of a tool that `renderTools()` reads. */
export type RenderedTool = Pick<AnyTool, "name" | "description" | "parameters">;

/**
 * Lists tools in a prompt, one per line: `name(arguments) - description`. An argument has its type, or its default; `?`
 * marks one that may be left out. For models without tool calls.
 *
 * @example
 * ```ts
 * import { tool } from "millrace";
 * import { renderTools } from "millrace/agent";
 *
 * const search = tool({ name: "search", description: "Looks something up.", run: () => "" });
 * console.log(renderTools([search])); // search(input: string) - Looks something up.
 * ```
 */
export function renderTools(tools: readonly RenderedTool[]): string {
  checkListOf("renderTools()", "tools", tools);
  return tools
    .map(({ name, description, parameters }) => {
      const signature = `${name}(${argumentsIn(parameters).join(", ")})`;
      return description === undefined ? signature : `${signature} - ${description}`;
    })
    .join("\n");
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
  checkListOf("renderToolsWithArgs()", "tools", tools);
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

function argumentsIn({ properties, required }: JsonObject): string[] {
  const needed: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    if (!isObject(schema)) return name;
    if (schema["default"] !== undefined) return `${name} = ${JSON.stringify(schema["default"])}`;
    return `${name}${needed.has(name) ? "" : "?"}: ${typeIn(schema)}`;
  });
}

/** The type of a schema in the manner of TypeScript, without its parts. */
function typeIn(schema: JsonObject): string {
  const { enum: values, const: value, type, items, anyOf, oneOf } = schema;
  if (Array.isArray(values)) return values.map((it) => JSON.stringify(it)).join(" | ");
  if (value !== undefined) return JSON.stringify(value);
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return choices.map((it) => (isObject(it) ? typeIn(it) : "unknown")).join(" | ");
  if (Array.isArray(type)) return (type as readonly string[]).join(" | ");
  if (type === "integer") return "number";
  if (type !== "array") return typeof type === "string" ? type : "unknown";
  const item = isObject(items) ? typeIn(items) : "unknown";
  return item.includes("|") ? `(${item})[]` : `${item}[]`;
}
