import type { ToolCallDialect } from "../../messages/tool-call-dialect.js";
import { invokeTags, qwenTags } from "./xml/parameter-tags.js";

/** The text before a call. */
export interface CallMarker {
  readonly open: string;
  /** The texts that may follow the call. */
  readonly closings: readonly string[];
  /** Whether the marker is the start of the call, and is read with it. */
  readonly isCall?: boolean;
}

/** How the models of a dialect write calls. */
export interface DialectRules {
  readonly markers: readonly CallMarker[];
  /** The forms without a marker. */
  readonly bare: readonly ("json" | "python" | "named")[];
  /** Whether these may be in a fence after prose. Where models write markers, such a fence is an example. */
  readonly inFences?: boolean;
  /** Whether the first call decides which of these are read. */
  readonly isAuto?: boolean;
}

const glmEnds = ["<|user|>", "<|observation|>", "<|endoftext|>"];
const ends = ["<|im_end|>", "<|eom_id|>", "<|eot_id|>", "<|end_of_text|>"];
const toolCall = { open: "<tool_call>", closings: ["</tool_call>", ...ends] };
const glmCall = { open: "<tool_call>", closings: ["</tool_call>", ...glmEnds] };
const functionCall = { open: "<function_call>", closings: ["</function_call>", ...ends] };
const graniteCall = { open: "<|tool_call|>", closings: ends };
const mistralCalls = { open: "[TOOL_CALLS]", closings: ["[/TOOL_CALLS]", "</s>"] };
const pythonTag = { open: "<|python_tag|>", closings: ends };
/** Other names of the tag of Hermes. */
const otherToolCalls = [
  ["<longcat_tool_call>", "</longcat_tool_call>"],
  ["<TOOLCALL>", "</TOOLCALL>"],
  ["<|START_ACTION|>", "<|END_ACTION|>"],
].map(([open = "", close = ""]) => ({ open, closings: [close, ...ends] }));
const pythonCalls = { open: "<|tool_call_start|>", closings: ["<|tool_call_end|>", ...ends] };
const seedCall = { open: "<seed:tool_call>", closings: ["</seed:tool_call>", ...ends] };
const functionTag = { open: "<function=", closings: [...seedCall.closings, "</tool_call>"], isCall: true };

const invokeSections = [
  ...["function_calls", "antml:function_calls", "minimax:tool_call"],
  ...["｜DSML｜function_calls", "｜DSML｜tool_calls"],
];
const functionCalls = { open: "<function_calls>", closings: ["</function_calls>", ...ends] };
const invokeEnds = [...invokeSections.map((name) => `</${name}>`), ...ends];
/** The calls in tags `<invoke>`, in a section of their own or without it. */
const invokeCalls: readonly CallMarker[] = [
  ...invokeSections.map((name) => ({ open: `<${name}>`, closings: invokeEnds })),
  ...["<invoke name=", "<antml:invoke name=", "<｜DSML｜invoke name="].map((open) => ({
    open,
    closings: invokeEnds,
    isCall: true,
  })),
];
const minimaxLines = { open: "<tool_calls>", closings: ["</tool_calls>", ...ends] };

/** The beginnings as R1 and its distillations write them. */
const deepseekBegins = [
  ...["<｜tool▁calls▁begin｜>", "<｜tool_calls_begin｜>", "<｜tool calls begin｜>"],
  ...["<｜tool\\_calls\\_begin｜>", "<｜tool▁calls｜>", "<｜tool▁call▁begin｜>"],
];
const deepseekEnds = ["```", "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>", "<｜end▁of▁sentence｜>"];
const deepseekCalls = deepseekBegins.map((open) => ({ open, closings: deepseekEnds }));

const kimiEnds = ["<|tool_call_end|>", "<|tool_calls_section_end|>", "<|im_end|>"];
const kimiCalls = ["<|tool_calls_section_begin|>", "<|tool_call_begin|>"].map((open) => ({
  open,
  closings: kimiEnds,
}));
/** The markers of a call inside a section that has a marker of its own. */
export const innerMarkers: readonly string[] = ["<｜tool▁call▁begin｜>", "<|tool_call_begin|>"];
/** The texts after such a call. */
export const innerEnds: readonly string[] = [
  ...["<｜tool▁call▁end｜>", "<|tool_call_end|>", ...qwenTags.ends, ...invokeTags.ends],
];
const gemmaCalls: readonly CallMarker[] = [
  { open: "<|tool_call>", closings: ["<tool_call|>", "<|tool_response>", "<turn|>"] },
  {
    open: "<start_function_call>",
    closings: ["<end_function_call>", "<start_function_response>", "<end_of_turn>"],
  },
];
/** The starts of turns of others. A model that writes one invents what follows. */
export const otherTurns: readonly string[] = [
  ...["user", "tool", "system"].map((role) => `<|im_start|>${role}`),
  ...["user", "ipython", "tool", "system"].map((role) => `<|start_header_id|>${role}`),
  ...["user", "system", "developer", "functions."].map((role) => `<|start|>${role}`),
  ...["<start_of_turn>user", "<|turn>user", "<|user|>", "<|observation|>", "<｜User｜>", "[INST]"],
  ...["<|tool_response>", "<start_function_response>", "<｜tool▁outputs▁begin｜>", "<｜tool▁output▁begin｜>"],
  "[TOOL_RESULTS]",
];
/** The same after a call, at the start of a line, with those of its result. */
export const turnsAfterCall: readonly string[] = [
  ...otherTurns,
  ...["<tool_response>", "<tool_result>", "<function_response>", "<function_results>", "<function_result>"],
];
/** The recipient is before the channel or after it. */
const gptOssCalls = ["<|start|>assistant", ""].flatMap((start) =>
  ["<|channel|>commentary", "<|channel|>analysis", ...(start === "" ? [] : [""])].map((channel) => ({
    open: `${start}${channel} to=functions.`,
    closings: ["<|call|>", "<|end|>", "<|return|>"],
  })),
);

/**
 * Hermes, Mistral, Llama and the others are as their chat templates write them. Of the rest, the parsers of servers say
 * what models write:
 *
 * - DeepSeek V3 and V3.1: `deepseekv3_tool_parser.py` of vLLM, `deepseekv31_detector.py` of SGLang; the begins of R1:
 *   `common_chat_parse_deepseek_r1` of llama.cpp
 * - DeepSeek V3.2: `deepseekv32_detector.py` of SGLang
 * - Kimi K2: `kimi_k2_tool_parser.py` of vLLM, `common_chat_parse_kimi_k2` of llama.cpp
 * - MiniMax M1: `minimax_tool_parser.py` of vLLM; M2: `common_chat_parse_minimax_m2` of llama.cpp
 * - Gemma 4: `gemma4_tool_parser.py` of vLLM, `gemma4_detector.py` of SGLang
 * - FunctionGemma: `functiongemma_tool_parser.py` of vLLM
 * - gpt-oss: `common_chat_parse_gpt_oss` of llama.cpp, `gpt_oss_detector.py` of SGLang
 * - LongCat: `longcat_tool_parser.py` of vLLM; OLMo 3: `olmo3_tool_parser.py` of vLLM
 * - Nemotron 2, Command R7B, LFM2, Seed: the functions of their names in `chat.cpp` of llama.cpp
 * - GLM 4.5: `common_chat_parse_glm_4_5` of llama.cpp
 */
export const rulesOfDialects: Readonly<Record<ToolCallDialect | "auto", DialectRules>> = {
  auto: {
    markers: [
      ...[toolCall, functionCall, graniteCall, mistralCalls, pythonTag, functionTag, minimaxLines],
      ...[pythonCalls, seedCall],
      ...[otherToolCalls, invokeCalls, deepseekCalls, kimiCalls, gemmaCalls, gptOssCalls].flat(),
    ],
    bare: ["json", "python", "named"],
    inFences: true,
    isAuto: true,
  },
  hermes: { markers: [toolCall, ...otherToolCalls], bare: ["json"] },
  granite: { markers: [functionCall, graniteCall, toolCall], bare: ["json"] },
  mistral: { markers: [mistralCalls], bare: ["json"] },
  llama: { markers: [pythonTag, functionTag], bare: ["json", "python"], inFences: true },
  glm: { markers: [glmCall], bare: ["named", "json"] },
  "glm-xml": { markers: [glmCall], bare: [] },
  "qwen-xml": { markers: [toolCall, seedCall, functionTag], bare: [] },
  invoke: { markers: invokeCalls, bare: [] },
  minimax: { markers: [...invokeCalls, minimaxLines], bare: [] },
  deepseek: { markers: [...deepseekCalls, ...invokeCalls], bare: [] },
  kimi: { markers: kimiCalls, bare: [] },
  gemma: { markers: gemmaCalls, bare: [] },
  "gpt-oss": { markers: gptOssCalls, bare: [] },
  python: {
    markers: [pythonTag, pythonCalls, functionCalls, toolCall],
    bare: ["python", "json"],
    inFences: true,
  },
  json: { markers: [], bare: ["json"], inFences: true },
};
