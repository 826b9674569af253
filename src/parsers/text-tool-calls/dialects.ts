import type { ToolCallDialect } from "../../messages/tool-call-dialect.js";

/** The text before a call. */
export interface CallMarker {
  readonly open: string;
  /** The texts that may follow the call. */
  readonly closings: readonly string[];
  /** Whether the marker is the start of the call, and is read with it. */
  readonly beginsCall?: boolean;
}

export interface DialectRules {
  readonly markers: readonly CallMarker[];
  /** The forms without a marker. */
  readonly bare: readonly ("json" | "python" | "named")[];
  /** Whether these may be in a fence after prose. Where models write markers, such a fence is an example. */
  readonly inFences?: boolean;
}

const glmEnds = ["<|user|>", "<|observation|>", "<|endoftext|>"];
const ends = ["<|im_end|>", "<|eom_id|>", "<|eot_id|>", "<|end_of_text|>"];
const toolCall = { open: "<tool_call>", closings: ["</tool_call>", ...ends] };
const glmCall = { open: "<tool_call>", closings: ["</tool_call>", ...glmEnds] };
const functionCall = { open: "<function_call>", closings: ["</function_call>", ...ends] };
const graniteCall = { open: "<|tool_call|>", closings: ends };
const mistralCalls = { open: "[TOOL_CALLS]", closings: ["[/TOOL_CALLS]", "</s>"] };
const pythonTag = { open: "<|python_tag|>", closings: ends };
const functionTag = { open: "<function=", closings: ["</tool_call>", ...ends], beginsCall: true };

const dialects: Readonly<Record<ToolCallDialect | "auto", DialectRules>> = {
  auto: {
    markers: [toolCall, functionCall, graniteCall, mistralCalls, pythonTag, functionTag],
    bare: ["json", "python", "named"],
    inFences: true,
  },
  hermes: { markers: [toolCall], bare: ["json"] },
  granite: { markers: [functionCall, graniteCall, toolCall], bare: ["json"] },
  mistral: { markers: [mistralCalls], bare: ["json"] },
  llama: { markers: [pythonTag, functionTag], bare: ["json", "python"], inFences: true },
  glm: { markers: [glmCall], bare: ["named", "json"] },
  "glm-xml": { markers: [glmCall], bare: [] },
  "qwen-xml": { markers: [toolCall, functionTag], bare: [] },
  python: { markers: [pythonTag, toolCall], bare: ["python", "json"], inFences: true },
  json: { markers: [], bare: ["json"], inFences: true },
};

export function rulesOfDialect(dialect: ToolCallDialect | "auto"): DialectRules {
  if (Object.hasOwn(dialects, dialect)) return dialects[dialect];
  const names = Object.keys(dialects)
    .map((name) => `"${name}"`)
    .join(", ");
  throw new TypeError(`Expected a dialect, one of ${names}, but got ${JSON.stringify(dialect)}.`);
}
