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
 * - `invoke`: `<function_calls><invoke name="name"><parameter name="key">value</parameter></invoke></function_calls>`, as
 *   Claude writes it
 * - `minimax`: the same in `<minimax:tool_call>` (M2), or lines of `{"name", "arguments"}` in `<tool_calls>` (M1)
 * - `deepseek`: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>name<｜tool▁sep｜>{…}` (R1, V3, V3.1), or `invoke` with
 *   `｜DSML｜` before the names of its tags (V3.2)
 * - `kimi`: `<|tool_calls_section_begin|><|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}` (K2)
 * - `gemma`: `<|tool_call>call:name{key:<|"|>value<|"|>}<tool_call|>` (4), or the same with `<start_function_call>` and
 *   `<escape>` (FunctionGemma)
 * - `gpt-oss`: `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>`
 * - `python`: `[f(a=1)]`
 * - `json`: `{"name", "arguments"}` without a tag, or `{"tool_calls": […]}`
 */
export type ToolCallDialect =
  | "hermes"
  | "granite"
  | "mistral"
  | "llama"
  | "glm"
  | "glm-xml"
  | "qwen-xml"
  | "invoke"
  | "minimax"
  | "deepseek"
  | "kimi"
  | "gemma"
  | "gpt-oss"
  | "python"
  | "json";

const names: Readonly<Record<ToolCallDialect | "auto", true>> = {
  ...{
    hermes: true,
    granite: true,
    mistral: true,
    llama: true,
    glm: true,
    "glm-xml": true,
    "qwen-xml": true,
  },
  ...{ invoke: true, minimax: true, deepseek: true, kimi: true, gemma: true, "gpt-oss": true, python: true },
  ...{ json: true, auto: true },
};

/** @throws {TypeError} if there is no such dialect */
export function checkDialect(dialect: ToolCallDialect | "auto"): void {
  if (Object.hasOwn(names, dialect)) return;
  const known = Object.keys(names)
    .map((name) => `"${name}"`)
    .join(", ");
  throw new TypeError(`Expected a dialect, one of ${known}, but got ${JSON.stringify(dialect)}.`);
}
