/** The elements in which models write their reasoning. A draft in them is not part of the answer. */
export const thinkingElements: readonly string[] = [
  "think",
  "thinking",
  "thought",
  "reasoning",
  "analysis",
  "reflection",
  "seed:think",
];

/** Other forms of reasoning: what opens it, and what closes it. */
export const otherThinking: readonly (readonly [open: string, close: string])[] = [
  ["[THINK]", "[/THINK]"], // Magistral
  ["◁think▷", "◁/think▷"], // Kimi
  ["<|channel|>analysis", "<|end|>"], // gpt-oss
];
