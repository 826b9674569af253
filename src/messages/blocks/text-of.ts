import type { ContentBlock } from "./blocks.js";

/** A message, or a chunk of one. */
export interface HasContent {
  readonly content: readonly ContentBlock[];
}

/** The text blocks of a message, joined; of a chunk, the text that it adds. */
export function textOf({ content }: HasContent): string {
  let text = "";
  for (const block of content) if (block.type === "text") text += block.text;
  return text;
}

/** The reasoning of a message, joined; of a chunk, the reasoning that it adds. */
export function reasoningOf({ content }: HasContent): string {
  let reasoning = "";
  for (const block of content) if (block.type === "reasoning") reasoning += block.reasoning;
  return reasoning;
}
