/** What each provider refuses, in its own words. Collected from issues of users who met these answers. */
export interface Refusal {
  readonly status: number;
  readonly body: object;
}

export type Fields = Readonly<Record<string, unknown>>;

/** OpenAI: a function has an object at its root, and each call has an answer. Strict schemas are closed. */
export function refusedByChat(body: Fields): Refusal | undefined {
  for (const [index, tool] of listIn(body, "tools").entries()) {
    const called = fieldsIn(tool, "function");
    const problem = problemOfFunction(called["parameters"], called["strict"] === true);
    if (problem === undefined) continue;
    return invalidRequest(
      `Invalid schema for function '${String(called["name"])}': ${problem}`,
      `tools[${index}].function.parameters`,
      "invalid_function_parameters",
    );
  }
  const format = fieldsIn(body, "response_format", "json_schema");
  const problem = format["schema"] === undefined ? undefined : problemOfFormat(format);
  if (problem !== undefined) return problem;
  return refusedConversation(listIn(body, "messages"));
}

/** The Responses API has flat functions. */
export function refusedByResponses(body: Fields): Refusal | undefined {
  for (const [index, tool] of listIn(body, "tools").entries()) {
    const problem = problemOfFunction(tool["parameters"], tool["strict"] === true);
    if (problem === undefined) continue;
    return invalidRequest(
      `Invalid schema for function '${String(tool["name"])}': ${problem}`,
      `tools[${index}].parameters`,
      "invalid_function_parameters",
    );
  }
  const format = fieldsIn(body, "text", "format");
  return format["schema"] === undefined ? undefined : problemOfFormat(format);
}

/** vLLM parses the arguments of earlier calls for the chat template (vllm-project/vllm#43995). */
export function refusedByVllm(body: Fields): Refusal | undefined {
  for (const call of listIn(body, "messages").flatMap((message) => listIn(message, "tool_calls"))) {
    const problem = problemOfArguments(fieldsIn(call, "function")["arguments"]);
    if (problem !== undefined) return badRequest(problem);
  }
  return undefined;
}

/** Its Responses API does the same. */
export function refusedByVllmResponses(body: Fields): Refusal | undefined {
  for (const item of listIn(body, "input")) {
    const problem = item["type"] === "function_call" ? problemOfArguments(item["arguments"]) : undefined;
    if (problem !== undefined) return badRequest(problem);
  }
  return undefined;
}

export function refusedByAnthropic(body: Fields): Refusal | undefined {
  for (const [index, tool] of listIn(body, "tools").entries()) {
    const schema = fieldsIn(tool, "input_schema");
    const at = `tools.${index}.custom.input_schema`;
    if (choices.some((keyword) => keyword in schema)) {
      return ofAnthropic(`${at}: input_schema does not support oneOf, allOf, or anyOf at the top level`);
    }
    if (schema["type"] === undefined) return ofAnthropic(`${at}.type: Field required`);
    if (schema["type"] !== "object") return ofAnthropic(`${at}.type: Input should be 'object'`);
  }
  for (const [at, message] of listIn(body, "messages").entries()) {
    for (const [index, part] of listIn(message, "content").entries()) {
      if (part["type"] !== "tool_use" || isFields(part["input"])) continue;
      return ofAnthropic(
        `messages.${at}.content.${index}.tool_use.input: Input should be a valid dictionary`,
      );
    }
  }
  return undefined;
}

/** Before Gemini 3, functions and JSON exclude each other (googleapis/python-genai#867). */
export function refusedByGemini25(body: Fields): Refusal | undefined {
  const type = fieldsIn(body, "generationConfig")["responseMimeType"];
  if (type === "application/json" && listIn(body, "tools").length > 0) {
    return ofGemini(`Function calling with a response mime type: '${type}' is unsupported`);
  }
  for (const [at, content] of listIn(body, "contents").entries()) {
    for (const [index, part] of listIn(content, "parts").entries()) {
      const call = part["functionCall"];
      if (call === undefined || isFields(fieldsIn(part, "functionCall")["args"] ?? {})) continue;
      return ofGemini(`Invalid value at 'contents[${at}].parts[${index}].function_call.args'`);
    }
  }
  return undefined;
}

/** Ollama refuses arguments that are not an object. It ignores tools beside a format (ollama/ollama#8095). */
export function refusedByOllama(body: Fields): Refusal | undefined {
  for (const call of listIn(body, "messages").flatMap((message) => listIn(message, "tool_calls"))) {
    const args = fieldsIn(call, "function")["arguments"];
    if (isFields(args)) continue;
    const error = `json: cannot unmarshal ${typeof args} into Go struct field ChatRequest.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments`;
    return { status: 400, body: { error } };
  }
  return undefined;
}

const choices = ["anyOf", "oneOf", "allOf"];

function problemOfFunction(schema: unknown, strict: boolean): string | undefined {
  if (!isFields(schema) || schema["type"] !== "object") {
    const type = isFields(schema) ? JSON.stringify(schema["type"] ?? "None") : "None";
    return `schema must be a JSON Schema of 'type: "object"', got 'type: ${type}'.`;
  }
  if ([...choices, "enum", "not"].some((keyword) => keyword in schema)) {
    return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.";
  }
  return strict ? problemOfClosed(schema) : undefined;
}

function problemOfFormat({ name, schema, strict }: Fields): Refusal | undefined {
  const problem = problemOfFunction(schema, strict === true);
  return problem === undefined
    ? undefined
    : invalidRequest(`Invalid schema for response_format '${String(name)}': ${problem}`, "response_format");
}

/** Strict mode requires each property of a closed object. */
function problemOfClosed(schema: Fields): string | undefined {
  const names = Object.keys(fieldsIn(schema, "properties"));
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  if (schema["additionalProperties"] !== false) {
    return "In context=(), 'additionalProperties' is required to be supplied and to be false.";
  }
  const missing = names.find((name) => !required.includes(name));
  return missing === undefined
    ? undefined
    : `In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
}

function refusedConversation(messages: readonly Fields[]): Refusal | undefined {
  for (const [at, message] of messages.entries()) {
    const ids = listIn(message, "tool_calls").map(({ id }) => id);
    const following = messages.slice(at + 1);
    const end = following.findIndex(({ role }) => role !== "tool");
    const answers = (end < 0 ? following : following.slice(0, end)).map((answer) => answer["tool_call_id"]);
    const open = ids.filter((id) => !answers.includes(id));
    if (open.length === 0) continue;
    return invalidRequest(
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`,
      `messages.[${at + 1}].role`,
    );
  }
  return undefined;
}

function problemOfArguments(text: unknown): string | undefined {
  let args: unknown;
  try {
    args = JSON.parse(String(text));
  } catch {
    return `Expecting ',' delimiter: line 1 column ${String(text).length} (char ${String(text).length - 1})`;
  }
  return isFields(args) ? undefined : "'str object' has no attribute 'items'";
}

function invalidRequest(message: string, param: string, code: string | null = null): Refusal {
  return { status: 400, body: { error: { message, type: "invalid_request_error", param, code } } };
}

function badRequest(message: string): Refusal {
  return { status: 400, body: { error: { message, type: "BadRequestError", param: null, code: 400 } } };
}

function ofAnthropic(message: string): Refusal {
  return { status: 400, body: { type: "error", error: { type: "invalid_request_error", message } } };
}

function ofGemini(message: string): Refusal {
  return { status: 400, body: { error: { code: 400, message, status: "INVALID_ARGUMENT" } } };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object at a path of keys; empty if there is none. */
export function fieldsIn(value: Fields, ...path: readonly string[]): Fields {
  const found = path.reduce<unknown>((at, key) => (isFields(at) ? at[key] : undefined), value);
  return isFields(found) ? found : {};
}

/** The objects in a list; empty if there is none. */
export function listIn(value: Fields, key: string): readonly Fields[] {
  const list = value[key];
  return Array.isArray(list) ? list.filter(isFields) : [];
}
