/** Merging the chunks of a message, beside LangChain.js. */
import type { MessageChunk } from "millrace";
import { type Figure, flatness, quotient, text, timed } from "../figures.js";
import { inputs } from "../inputs.js";
import { drain, keep } from "../source-and-sink.js";
import type { Part } from "../suite.js";
import { loadPeer } from "../untyped-peers.js";

/** Prepares the merge of one message from one-character deltas. */
type PrepareMerge = (characters: readonly string[]) => () => unknown;

/** Each merges a text and the arguments of a tool call. */
const mergers = {
  "mergeChunks, text": () => streaming(textChunk),
  "mergeChunks, tool call": () => streaming(callChunk),
  "mergeChunk, text": () => reducing(textChunk),
  "mergeChunk, tool call": () => reducing(callChunk),
  "LangChain.js concat, text": () => concatenating((content) => ({ content })),
  "LangChain.js concat, tool call": () =>
    concatenating((args, i) => ({ content: "", tool_call_chunks: callChunk(args, i).content })),
} satisfies Readonly<Record<string, () => Promise<PrepareMerge>>>;

type MergerName = keyof typeof mergers;

/** The approximate number of deltas. */
const counts = [1_000, 8_000, 32_000, 100_000];
const comparedCount = 8_000;

export const merging: Part = {
  text: text`## Merging

One message in one-character deltas. Nanoseconds per delta; "flat within" is the highest of these divided by the lowest. The
chunks are created beforehand. \`mergeChunk\` and \`concat\` merge two chunks. \`mergeChunks\` reads a stream, parses growing arguments and
yields a snapshot after each delta. The goal: linear, and at least 100 times as fast as \`concat\` at ${comparedCount.toLocaleString("en")} deltas
(text: ${speedup("text")}; tool call: ${speedup("tool call")}).`,
  head: ["", ...counts.map((count) => count.toLocaleString("en")), "flat within"],
  rows: (Object.keys(mergers) as MergerName[]).map((name) => {
    // The longest takes minutes.
    const its = name === "LangChain.js concat, tool call" ? counts.slice(0, 3) : counts;
    const costs = its.map((count) => costOf(name, count));
    return [name, ...costs, ...(its === counts ? [flatness(costs)] : ["–", ""])];
  }),
};

function speedup(what: "text" | "tool call"): Figure {
  const theirs = costOf(`LangChain.js concat, ${what}`, comparedCount);
  return quotient(theirs, costOf(`mergeChunk, ${what}`, comparedCount));
}

function costOf(name: MergerName, count: number): Figure {
  return timed(`${name}, ${count}`, async () => {
    const prepare = await mergers[name]();
    const characters = Array.from(`{"contacts":${inputs.contacts(count)}}`);
    return { units: characters.length, run: prepare(characters) };
  });
}

type ToChunk = (character: string, i: number) => MessageChunk;

function textChunk(text: string): MessageChunk {
  return { content: [{ type: "text", text }] };
}

/** The first delta of a call has its id and name. */
function callChunk(args: string, i: number): MessageChunk {
  const head = i === 0 ? { id: "call_1", name: "save" } : {};
  return { content: [{ type: "tool_call_chunk", index: 0, args, ...head }] };
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
  return (characters) => {
    const chunks = characters.map(toChunk);
    return () => keep(chunks.reduce((whole, chunk) => mergeChunk(whole, chunk)));
  };
}

async function concatenating(toFields: (character: string, i: number) => object): Promise<PrepareMerge> {
  const { AIMessageChunk } = await loadPeer("@langchain/core/messages");
  return (characters) => {
    const chunks = characters.map((character, i) => new AIMessageChunk(toFields(character, i)));
    return () => keep(chunks.reduce((whole, chunk) => whole.concat(chunk)));
  };
}
