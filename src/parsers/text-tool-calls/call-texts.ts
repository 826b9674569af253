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
  (write: (call: WrittenCall) => string, separator = "\n"): CallTexts["calls"] =>
  (calls) =>
    calls.map(write).join(separator);
const tagged = (open: string, close: string): CallTexts["calls"] =>
  joined((call) => `${open}\n${asJson(call)}\n${close}`);
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

function asXml({ name, args }: WrittenCall): string {
  const body =
    typeof args === "string"
      ? args
      : Object.entries(args)
          .map(([key, value]) => `<parameter=${key}>\n${textOfValue(value)}\n</parameter>\n`)
          .join("");
  return `<tool_call>\n<function=${name}>\n${body}</function>\n</tool_call>`;
}

function asKeysAndValues({ name, args }: WrittenCall): string {
  const body =
    typeof args === "string"
      ? [args]
      : Object.entries(args).map(
          ([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${textOfValue(value)}</arg_value>`,
        );
  return ["<tool_call>" + name, ...body, "</tool_call>"].join("\n");
}

function textOfValue(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
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
