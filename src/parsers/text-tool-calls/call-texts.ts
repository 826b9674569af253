import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import type { ToolCallDialect } from "../../messages/tool-call-dialect.js";
import type { DescribedTool } from "./call-names.js";

/** A call to write as text. Arguments that are not JSON are sent as they are. */
export interface WrittenCall {
  readonly name: string;
  readonly args: JsonObject | string;
}

/** How a dialect writes tools, calls and results. */
export interface CallTexts {
  /** The tools, for the prompt. */
  readonly tools: (tools: readonly DescribedTool[]) => string;
  /** The calls of one message. */
  readonly calls: (calls: readonly WrittenCall[]) => string;
  readonly result: (name: string, text: string) => string;
}

/** For the prompt: the tools, and how to call them. */
export function toolCallInstructions(
  tools: readonly DescribedTool[],
  dialect: ToolCallDialect | "auto",
  mustCall: boolean,
): string {
  const texts = callTexts(dialect);
  const example = texts.calls([{ name: "function_name", args: { parameter: "value" } }]);
  return [
    "# Tools",
    "You may call these functions. Their parameters are JSON Schemas:",
    texts.tools(tools),
    `To call functions, write this and nothing after it:\n${example}`,
    ...(mustCall
      ? ["Answer only by calling a function."]
      : ["The next message has the results. Without a call, answer in text."]),
  ].join("\n\n");
}

export function callTexts(dialect: ToolCallDialect | "auto"): CallTexts {
  return dialects[dialect === "auto" ? "hermes" : dialect];
}

const listed: CallTexts["tools"] = (tools) =>
  tools.map((tool) => JSON.stringify(toFunction(tool))).join("\n");
const joined =
  (write: (call: WrittenCall, index: number) => string, separator = "\n"): CallTexts["calls"] =>
  (calls) =>
    calls.map((call, index) => write(call, index)).join(separator);
const tagged = (open: string, close: string): CallTexts["calls"] =>
  joined((call) => `${open}\n${asJson(call)}\n${close}`);
const section =
  (open: string, write: CallTexts["calls"], close: string): CallTexts["calls"] =>
  (calls) =>
    `${open}${write(calls)}${close}`;
const named: CallTexts["result"] = (name, text) => `Result of ${name}:\n${text}`;

const dialects: Readonly<Record<ToolCallDialect, CallTexts>> = {
  hermes: {
    tools: (tools) => {
      const lines = tools.map((tool) => JSON.stringify({ type: "function", function: toFunction(tool) }));
      return `<tools>\n${lines.join("\n")}\n</tools>`;
    },
    calls: tagged("<tool_call>", "</tool_call>"),
    result: (_, text) => `<tool_response>\n${text}\n</tool_response>`,
  },
  granite: {
    tools: listed,
    calls: joined((call) => `<function_call> ${asJson(call)}`),
    result: (_, text) => `<function_response> ${text}`,
  },
  mistral: {
    tools: (tools) => {
      const list = tools.map((tool) => ({ type: "function", function: toFunction(tool) }));
      return `[AVAILABLE_TOOLS] ${JSON.stringify(list)} [/AVAILABLE_TOOLS]`;
    },
    calls: (calls) => `[TOOL_CALLS] [${calls.map((call) => asJson(call)).join(", ")}]`,
    result: (_, text) => `[TOOL_RESULTS] ${JSON.stringify({ content: text })} [/TOOL_RESULTS]`,
  },
  llama: { tools: listed, calls: joined((call) => asJson(call, "parameters"), "; "), result: named },
  glm: { tools: listed, calls: joined(({ name, args }) => `${name}\n${textOfArgs(args)}`), result: named },
  "glm-xml": {
    tools: (tools) => `<tools>\n${listed(tools)}\n</tools>`,
    calls: joined(asKeysAndValues),
    result: (_, text) => `<tool_response>\n${text}\n</tool_response>`,
  },
  "qwen-xml": {
    tools: listed,
    calls: joined(asXml),
    result: (_, text) => `<tool_response>\n${text}\n</tool_response>`,
  },
  invoke: {
    tools: (tools) => `<functions>\n${listed(tools)}\n</functions>`,
    calls: section("<function_calls>\n", joined(asInvoke), "\n</function_calls>"),
    result: (_, text) => `<function_results>\n${text}\n</function_results>`,
  },
  minimax: {
    tools: (tools) => `<tools>\n${listed(tools)}\n</tools>`,
    calls: section("<minimax:tool_call>\n", joined(asInvoke), "\n</minimax:tool_call>"),
    result: (_, text) => `<response>${text}</response>`,
  },
  deepseek: {
    tools: listed,
    calls: section("<｜tool▁calls▁begin｜>", joined(asDeepseek, ""), "<｜tool▁calls▁end｜>"),
    result: (_, text) => `<｜tool▁output▁begin｜>${text}<｜tool▁output▁end｜>`,
  },
  kimi: {
    tools: listed,
    calls: section("<|tool_calls_section_begin|>", joined(asKimi, ""), "<|tool_calls_section_end|>"),
    result: (name, text) => `## Return of functions.${name}\n${text}`,
  },
  "gpt-oss": {
    tools: listed,
    calls: joined(asGptOss, ""),
    result: (name, text) =>
      `<|start|>functions.${name} to=assistant<|channel|>commentary<|message|>${text}<|end|>`,
  },
  gemma: { tools: listed, calls: joined(asGemma, ""), result: named },
  python: { tools: listed, calls: (calls) => `[${calls.map(asPython).join(", ")}]`, result: named },
  json: {
    tools: listed,
    calls: (calls) => `{"tool_calls": [${calls.map((call) => asJson(call)).join(", ")}]}`,
    result: named,
  },
};

function toFunction({ name, description, parameters }: DescribedTool): object {
  return { name, ...(description === undefined ? {} : { description }), parameters: parameters ?? {} };
}

function asJson({ name, args }: WrittenCall, key = "arguments"): string {
  return `{"name": ${JSON.stringify(name)}, "${key}": ${textOfArgs(args)}}`;
}

function textOfArgs(args: JsonObject | string): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}

/** The text of each argument. */
function argumentsAs(args: JsonObject | string, write: (key: string, value: string) => string): string[] {
  if (typeof args === "string") return [args];
  return Object.entries(args).map(([key, value]) =>
    write(key, typeof value === "string" ? value : JSON.stringify(value)),
  );
}

function asXml({ name, args }: WrittenCall): string {
  const body = argumentsAs(args, (key, value) => `<parameter=${key}>\n${value}\n</parameter>\n`);
  return `<tool_call>\n<function=${name}>\n${body.join("")}</function>\n</tool_call>`;
}

function asInvoke({ name, args }: WrittenCall): string {
  const body = argumentsAs(args, (key, value) => `<parameter name="${key}">${onLines(value)}</parameter>`);
  return [`<invoke name="${name}">`, ...body, "</invoke>"].join("\n");
}

/** A line break at the start is part of a value only after another one. */
function onLines(value: string): string {
  return /^\r?\n/.test(value) ? `\n${value}\n` : value;
}

function asDeepseek({ name, args }: WrittenCall): string {
  return `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${textOfArgs(args)}<｜tool▁call▁end｜>`;
}

function asKimi({ name, args }: WrittenCall, index: number): string {
  const begin = `<|tool_call_begin|>functions.${name}:${index}<|tool_call_argument_begin|>`;
  return `${begin}${textOfArgs(args)}<|tool_call_end|>`;
}

function asGptOss({ name, args }: WrittenCall, index: number): string {
  const start = index === 0 ? "" : "<|start|>assistant";
  const header = `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>`;
  return `${start}${header}${textOfArgs(args)}<|call|>`;
}

function asGemma({ name, args }: WrittenCall): string {
  return `<|tool_call>call:${name}${typeof args === "string" ? args : gemmaOf(args)}<tool_call|>`;
}

function gemmaOf(value: JsonValue): string {
  if (typeof value === "string") return `<|"|>${value}<|"|>`;
  if (Array.isArray(value)) return `[${value.map(gemmaOf).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, it]) => `${/^\w+$/.test(key) ? key : `<|"|>${key}<|"|>`}:${gemmaOf(it)}`)
    .join(",")}}`;
}

function asKeysAndValues({ name, args }: WrittenCall): string {
  const body = argumentsAs(
    args,
    (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`,
  );
  return ["<tool_call>" + name, ...body, "</tool_call>"].join("\n");
}

function asPython({ name, args }: WrittenCall): string {
  if (typeof args === "string") return `${name}(${args})`;
  const keywords = Object.entries(args);
  if (keywords.some(([key]) => !/^[A-Za-z_]\w*$/.test(key))) return `${name}(${pythonOf(args)})`;
  return `${name}(${keywords.map(([key, value]) => `${key}=${pythonOf(value)}`).join(", ")})`;
}

function pythonOf(value: JsonValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, it]) => `${JSON.stringify(key)}: ${pythonOf(it)}`)
    .join(", ")}}`;
}
