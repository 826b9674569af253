import type { JsonSchema } from "../../schema/schema.js";

/** The part of a tool that reading its calls needs. `parameters` is a JSON Schema. */
export interface DescribedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters?: JsonSchema | undefined;
}

/** The maximum length of a name. */
export const maxName = 200;
/** The modules that models put before the names of tools. */
const namespaces = ["tools_", "functions_", "default_api_"];

/** The names and parameters of the tools, if known. */
export class CallNames {
  readonly areKnown: boolean;
  private readonly tools: ReadonlyMap<string, DescribedTool>;
  /** By the name without punctuation, which models change. `undefined` for two tools with the same. */
  private readonly similar = new Map<string, DescribedTool | undefined>();

  constructor(tools: readonly DescribedTool[] | undefined) {
    this.areKnown = tools !== undefined;
    this.tools = new Map(tools?.map((tool) => [tool.name, tool]));
    for (const tool of this.tools.values()) {
      const key = simplified(tool.name);
      this.similar.set(key, this.similar.has(key) ? undefined : tool);
    }
  }

  find(name: string): DescribedTool | undefined {
    const found = this.tools.get(name) ?? this.similar.get(simplified(name));
    return (
      found ?? this.similar.get(simplified(name.replace(/^(?:tools|functions|default_api)\.|\.call$/g, "")))
    );
  }

  /** Whether the text may become the name of a tool. */
  mayBegin(text: string): boolean {
    if (!this.areKnown) return text.length < maxName;
    const start = simplified(text);
    if (namespaces.some((it) => it.startsWith(start) || start.startsWith(it))) return text.length < maxName;
    for (const key of this.similar.keys()) if (key.startsWith(start)) return true;
    return false;
  }

  /** The name of the tool that the model means: `math_gcd` and `math\_gcd` are `math.gcd`. */
  resolve(name: string): string {
    return this.find(name)?.name ?? unescaped(name);
  }

  /** The schemas of a tool's parameters, in order. */
  parameters(name: string): readonly (readonly [name: string, schema: JsonSchema])[] {
    return Object.entries((this.find(name)?.parameters?.["properties"] ?? {}) as Record<string, JsonSchema>);
  }
}

/** Some models escape `_` as in Markdown. */
export function unescaped(name: string): string {
  return name.replaceAll("\\", "");
}

function simplified(name: string): string {
  return name.replaceAll(/[\\\s]/g, "").replaceAll(/[.\-/]/g, "_");
}
