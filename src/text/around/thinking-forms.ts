/** A form in which models write their reasoning. A draft in it is not part of the answer. */
export interface ThinkingForm {
  readonly open: string;
  readonly close: string;
}

/** Elements whose names have no other use: a prompt may have opened one, and none is a document. */
export const pureThinking: readonly string[] = ["think", "thinking", "seed:think"];

/** The names of the elements. In a text they may be in capital letters. */
export const thinkingElements: readonly string[] = [
  ...pureThinking,
  "thought",
  "reasoning",
  "analysis",
  "reflection",
  "thoughts",
  "scratchpad",
];

const magistral: ThinkingForm = { open: "[THINK]", close: "[/THINK]" };
const kimi: ThinkingForm = { open: "◁think▷", close: "◁/think▷" };
/** The header of the answer is skipped like thinking: `<|start|>assistant<|channel|>final<|message|>`, which is whole. */
const gptOss: readonly ThinkingForm[] = ["", "<|start|>assistant"].flatMap((start) => [
  { open: `${start}<|channel|>analysis`, close: "<|end|>" },
  ...["", " <|constrain|>json"].map((format) => ({
    open: `${start}<|channel|>final${format}<|message`,
    close: "|>",
  })),
]);

/** The forms of special tokens. They are never in other letters: `[think]` is a link. */
export const thinkingTokens: readonly ThinkingForm[] = [magistral, kimi, ...gptOss];

const element = (name: string): ThinkingForm => ({ open: `<${name}>`, close: `</${name}>` });

/** All forms. Every reader that skips thinking knows these. */
export const thinkingForms: readonly ThinkingForm[] = [...thinkingElements.map(element), ...thinkingTokens];

/** The forms that a prompt may have opened. */
export const promptThinking: readonly ThinkingForm[] = [...pureThinking.map(element), magistral, kimi];
