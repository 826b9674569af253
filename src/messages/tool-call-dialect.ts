/**
 * How a model writes calls as text.
 *
 * - `hermes`: `<tool_call>{"name", "arguments"}</tool_call>`, as Hermes and Qwen write it
 * - `granite`: `<function_call>{"name", "arguments"}`
 * - `mistral`: `[TOOL_CALLS]` with an array of calls, or with `name[ARGS]{…}`
 * - `llama`: `{"name", "parameters"}`, with or without `<|python_tag|>`
 * - `glm`: the name on a line, and the arguments after it
 * - `glm-xml`: `<tool_call>name<arg_key>key</arg_key><arg_value>value</arg_value></tool_call>`, as GLM 4.5 writes it
 * - `qwen-xml`: `<function=name><parameter=key>value</parameter></function>`
 * - `python`: `[f(a=1)]`
 * - `json`: `{"name", "arguments"}` without a tag, or `{"tool_calls": […]}`
 */
export type ToolCallDialect =
  "hermes" | "granite" | "mistral" | "llama" | "glm" | "glm-xml" | "qwen-xml" | "python" | "json";
