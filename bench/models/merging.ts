import type { MessageChunk } from "millrace";
import { inputs } from "../inputs.js";
import { drain, keep } from "../sink.js";
import { loadLangChainMessages } from "../untyped-peers.js";

/** Prepares the merge of one message from one-character deltas. */
export type PrepareMerge = (characters: readonly string[]) => () => Promise<void>;

/** Each merges a text and the arguments of a tool call. */
export const mergers = {
  "mergeChunks, text": () => streaming(textChunk),
  "mergeChunks, tool call": () => streaming(callChunk),
  "mergeChunk, text": () => reducing(textChunk),
  "mergeChunk, tool call": () => reducing(callChunk),
  "LangChain.js concat, text": () => concatenating((content) => ({ content })),
  "LangChain.js concat, tool call": () =>
    concatenating((args, i) => ({
      content: "",
      tool_call_chunks: [{ type: "tool_call_chunk", index: 0, args, ...headOf(i) }],
    })),
} satisfies Readonly<Record<string, () => Promise<PrepareMerge>>>;

export type MergerName = keyof typeof mergers;

/** About `count` characters of a JSON object. */
export function charactersOf(count: number): string[] {
  return Array.from(`{"contacts":${inputs.contacts(count)}}`);
}

type ToChunk = (character: string, i: number) => MessageChunk;

function textChunk(text: string): MessageChunk {
  return { content: [{ type: "text", text }] };
}

function callChunk(args: string, i: number): MessageChunk {
  return { content: [{ type: "tool_call_chunk", index: 0, args, ...headOf(i) }] };
}

/** The first delta of a call has its id and name. */
function headOf(i: number): { id?: string; name?: string } {
  return i === 0 ? { id: "call_1", name: "save" } : {};
}

async function streaming(toChunk: ToChunk): Promise<PrepareMerge> {
  const { from, mergeChunks, pipe } = await import("millrace");
  return (characters) => {
    const chunks = characters.map(toChunk);
    return () => drain(pipe(from(chunks), mergeChunks()));
  };
}

async function reducing(toChunk: ToChunk): Promise<PrepareMerge> {
  const { mergeChunk } = await import("millrace");
  return (characters) => folding(characters.map(toChunk), mergeChunk);
}

async function concatenating(toFields: (character: string, i: number) => object): Promise<PrepareMerge> {
  const { AIMessageChunk } = await loadLangChainMessages();
  return (characters) => {
    const chunks = characters.map((character, i) => new AIMessageChunk(toFields(character, i)));
    return folding(chunks, (whole, chunk) => whole.concat(chunk));
  };
}

function folding<Chunk>(
  chunks: readonly Chunk[],
  merge: (whole: Chunk, chunk: Chunk) => Chunk,
): () => Promise<void> {
  return () => {
    keep(chunks.reduce((whole, chunk) => merge(whole, chunk)));
    return Promise.resolve();
  };
}
