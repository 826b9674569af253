import type { JsonObject } from "../../json/value.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { ToolError } from "../errors.js";
import type { AnyTool } from "../run/any-tool.js";
import { tool } from "./tool.js";

/** The options of `serverTool()`. */
export interface ServerToolOptions {
  /** The name for programs, such as `web_search`. Each provider has its own in the form. */
  readonly name: string;
  /**
   * The tool in the form of each provider that may run it, by the provider's name: `openai`, `anthropic`, `gemini`. A
   * server that is compatible with OpenAI gets the form `openai`.
   */
  readonly forms: Readonly<Record<string, JsonObject>>;
}

const optionNames = { name: true, forms: true } satisfies OptionNames<ServerToolOptions>;

/**
 * Makes a tool that the provider of the model runs, such as its web search. It is sent in the form of the provider, and
 * never run here. Its calls and results are blocks of the model's message, `server_tool_call` and `server_tool_result`.
 *
 * A model of a provider without a form refuses the call before anything is sent.
 *
 * @throws {ToolError} `invalid_tool` for a name that `tool()` refuses, or without a form
 *
 * @example
 * ```ts
 * import { serverTool } from "millrace/agent";
 *
 * const search = serverTool({
 *   name: "web_search",
 *   forms: {
 *     openai: { type: "web_search" }, // with api: "responses"
 *     anthropic: { type: "web_search_20250305", name: "web_search", max_uses: 3 },
 *     gemini: { googleSearch: {} },
 *   },
 * });
 * console.log(search.name); // "web_search"
 * ```
 */
export function serverTool(options: ServerToolOptions): AnyTool {
  checkOptions("serverTool()", options, optionNames);
  const { name, forms } = options;
  const made = tool({
    name,
    schema: { type: "object" },
    run: () => {
      throw new ToolError("failed", `"${name}" is run by the provider of the model, not here.`, {
        tool: name,
      });
    },
  });
  if (Object.keys(Object(forms) as object).length === 0)
    throw new ToolError("invalid_tool", `serverTool() needs the form of "${name}" for a provider.`, {
      tool: name,
    });
  return { ...made, forms };
}
