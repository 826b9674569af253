/** The chunks that a model streams, made from their texts. */
import type { MessageChunk } from "millrace";

export function textChunks(tokens: readonly string[]): MessageChunk[] {
  return tokens.map((text) => ({ content: [{ type: "text", text }] }));
}

/** Chunks of one tool call. The first has its id and name. */
export function callChunks(tokens: readonly string[], name = "save"): MessageChunk[] {
  return tokens.map((args, i) => {
    const head = i === 0 ? { id: "call_1", name } : {};
    return { content: [{ type: "tool_call_chunk", index: 0, args, ...head }] };
  });
}
