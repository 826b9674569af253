import type { MessageChunk } from "millrace";
import { inputs } from "../inputs.js";
import { drain, keep } from "../sink.js";
import { loadLangChainMessages } from "../untyped-peers.js";

/** Puts the one-character deltas of one message together. */
export type Merge = (characters: readonly string[]) => Promise<void>;

/** A text, and the arguments of a tool call, which are parsed as they grow. */
export const mergers = {
  "mergeChunks, text": () => streaming(textChunk),
  "mergeChunks, tool call": () => streaming(callChunk),
  "mergeChunk, text": () => reducing(textChunk),
  "mergeChunk, tool call": () => reducing(callChunk),
  "LangChain.js concat, text": () => concatenating((content) => ({ content })),
  "LangChain.js concat, tool call": () =>
    concatenating((args, i) => ({
      content: "",
      tool_call_chunks: [{ type: "tool_call_chunk", index: 0, args, ...beginning(i) }],
    })),
} satisfies Readonly<Record<string, () => Promise<Merge>>>;

export type MergerName = keyof typeof mergers;

/** About so many: those of a JSON object, as the arguments of a call are. */
export function charactersOf(count: number): string[] {
  return Array.from(`{"contacts":${inputs.contacts(count)}}`);
}

type ToChunk = (character: string, i: number) => MessageChunk;

function textChunk(text: string): MessageChunk {
  return { content: [{ type: "text", text }] };
}

function callChunk(args: string, i: number): MessageChunk {
  return { content: [{ type: "tool_call_chunk", index: 0, args, ...beginning(i) }] };
}

/** Of a call, which its first delta says. */
function beginning(i: number): { id?: string; name?: string } {
  return i === 0 ? { id: "call_1", name: "save" } : {};
}

async function streaming(toChunk: ToChunk): Promise<Merge> {
  const { from, mergeChunks, pipe } = await import("millrace");
  return (characters) => drain(pipe(from(characters.map(toChunk)), mergeChunks()));
}

async function reducing(toChunk: ToChunk): Promise<Merge> {
  const { mergeChunk } = await import("millrace");
  return (characters) => {
    keep(characters.map(toChunk).reduce(mergeChunk));
    return Promise.resolve();
  };
}

async function concatenating(toFields: (character: string, i: number) => object): Promise<Merge> {
  const { AIMessageChunk } = await loadLangChainMessages();
  return (characters) => {
    const chunks = characters.map((character, i) => new AIMessageChunk(toFields(character, i)));
    keep(chunks.reduce((whole, chunk) => whole.concat(chunk)));
    return Promise.resolve();
  };
}
