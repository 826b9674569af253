/** A form in which models write their reasoning. A draft in it is not part of the answer. */
export interface ThinkingForm {
  readonly open: string;
  readonly close: string;
}

/** Elements whose names have no other use: a prompt may have opened one, and none is a document. */
export const pureThinking: readonly string[] = ["think", "thinking", "seed:think", "longcat_think"];

/** The names of the elements. In a text they may be in capital letters. */
export const thinkingElements: readonly string[] = [
  ...pureThinking,
  "thought",
  "reasoning",
  "analysis",
  "reflection",
  "thoughts",
  "scratchpad",
  "antthinking",
];

/** The tokens that a prompt may have opened: of Magistral, Kimi, Command, Apertus, OpenThinker, Gemma 4 and MedGemma. */
export const promptTokens: readonly ThinkingForm[] = [
  { open: "[THINK]", close: "[/THINK]" },
  { open: "◁think▷", close: "◁/think▷" },
  { open: "<|START_THINKING|>", close: "<|END_THINKING|>" },
  { open: "<|inner_prefix|>", close: "<|inner_suffix|>" },
  { open: "<|begin_of_thought|>", close: "<|end_of_thought|>" },
  { open: "<|channel>thought", close: "<channel|>" },
  { open: "<unused94>thought", close: "<unused95>" },
];
/** The header of the answer is skipped like thinking: `<|start|>assistant<|channel|>final<|message|>`, which is whole. */
const gptOss: readonly ThinkingForm[] = ["", "<|start|>assistant"].flatMap((start) => [
  { open: `${start}<|channel|>analysis`, close: "<|end|>" },
  ...["", " <|constrain|>json"].map((format) => ({
    open: `${start}<|channel|>final${format}<|message`,
    close: "|>",
  })),
]);

/** The forms of special tokens. They are never in other letters: `[think]` is a link. */
export const thinkingTokens: readonly ThinkingForm[] = [...promptTokens, ...gptOss];

const element = (name: string): ThinkingForm => ({ open: `<${name}>`, close: `</${name}>` });

/** All forms. Every reader that skips thinking knows these. */
export const thinkingForms: readonly ThinkingForm[] = [...thinkingElements.map(element), ...thinkingTokens];
