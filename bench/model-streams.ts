/** Streams of models: message chunks, and the bytes of OpenAI Chat Completions and of Anthropic Messages. */
import type { MessageChunk } from "millrace";
import { block, end, finish, start, stop, text, wireOf } from "../test/support/anthropic-events.js";
import { type LangChainChunk, loadPeer } from "../test/support/peers.js";
import { chatEvents } from "../test/support/provider-events.js";

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

/** The chunks of a message for LangChain.js. */
export async function langChainChunks(chunks: readonly MessageChunk[]): Promise<LangChainChunk[]> {
  const { AIMessageChunk } = await loadPeer("@langchain/core/messages");
  return chunks.map(({ content: [block] }) => {
    const fields =
      block?.type === "text" ? { content: block.text } : { content: "", tool_call_chunks: [block] };
    return new AIMessageChunk(fields);
  });
}

/** The events of a text. */
export function textEventsOf(tokens: readonly string[]): Uint8Array<ArrayBuffer>[] {
  const deltas = tokens.map((content) => ({ content }));
  return chatEvents([{ role: "assistant", content: "", refusal: null }, ...deltas], "stop");
}

/** The events of a tool call. */
export function callEventsOf(name: string, tokens: readonly string[]): Uint8Array<ArrayBuffer>[] {
  const callOf = (call: object): object => ({ tool_calls: [{ index: 0, ...call }] });
  const first = callOf({ id: "call_1", type: "function", function: { name, arguments: "" } });
  const deltas = tokens.map((args) => callOf({ function: { arguments: args } }));
  return chatEvents([{ role: "assistant", content: null }, first, ...deltas], "tool_calls");
}

/** The events of a text in Anthropic Messages. */
export function messageEventsOf(tokens: readonly string[]): Uint8Array<ArrayBuffer>[] {
  const deltas = tokens.map((token) => text(token));
  const events = [start(), block({ type: "text", text: "" }), ...deltas, stop(), finish(), end];
  return events.map((event) => new TextEncoder().encode(wireOf([event])));
}
