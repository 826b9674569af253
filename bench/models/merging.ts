/** Merging the chunks of a message, beside LangChain.js. */
import type { MessageChunk } from "millrace";
import { type Figure, flatness, quotient, text, timed } from "../figures.js";
import { inputs } from "../inputs.js";
import { callChunks, textChunks } from "../message-chunks.js";
import { drain, keep } from "../source-and-sink.js";
import { namesOf, type Part } from "../suite.js";
import { langChainChunks } from "../untyped-peers.js";

/** One-character deltas. */
const messages = { text: textChunks, "tool call": callChunks };
type Message = keyof typeof messages;

/** Each is loaded only in the process that measures it and used as documented. */
const mergers = {
  mergeChunks: async (chunks) => {
    const { from, mergeChunks, pipe } = await import("millrace");
    return () => drain(pipe(from(chunks), mergeChunks()));
  },
  mergeChunk: async (chunks) => {
    const { mergeChunk } = await import("millrace");
    return () => keep(chunks.reduce((whole, chunk) => mergeChunk(whole, chunk)));
  },
  "LangChain.js concat": async (chunks) => {
    const theirs = await langChainChunks(chunks);
    return () => keep(theirs.reduce((whole, chunk) => whole.concat(chunk)));
  },
} satisfies Readonly<Record<string, (chunks: readonly MessageChunk[]) => Promise<() => unknown>>>;

type MergerName = keyof typeof mergers;

/** The approximate number of deltas. */
const counts = [1_000, 8_000, 32_000, 100_000];

export const merging: Part = {
  text: text`## Merging

One message in one-character deltas. Nanoseconds per delta; "flat within" is the highest of these divided by the lowest.
The chunks are created beforehand. \`mergeChunk\` and \`concat\` merge two chunks. \`mergeChunks\` reads a stream,
parses growing arguments and yields a snapshot after each delta. The goal: linear, and at least 100 times as fast as
\`concat\` at 8,000 deltas (text: ${speedup("text")}; tool call: ${speedup("tool call")}).`,
  head: ["", ...counts.map((count) => count.toLocaleString("en")), "flat within"],
  rows: namesOf(mergers).flatMap((merger) =>
    namesOf(messages).map((message) => {
      // The longest takes minutes.
      const isSlow = merger === "LangChain.js concat" && message === "tool call";
      const costs = (isSlow ? counts.slice(0, 3) : counts).map((count) => costOf(merger, message, count));
      return [`${merger}, ${message}`, ...costs, ...(isSlow ? ["–", ""] : [flatness(costs)])];
    }),
  ),
};

/** How many times as fast as LangChain.js. */
export function speedup(message: Message): Figure {
  const theirs = costOf("LangChain.js concat", message, 8_000);
  return quotient(theirs, costOf("mergeChunk", message, 8_000));
}

function costOf(merger: MergerName, message: Message, count: number): Figure {
  return timed(`${merger}, ${message}, ${count}`, async () => {
    const characters = Array.from(`{"contacts":${inputs.contacts(count)}}`);
    return { units: characters.length, run: await mergers[merger](messages[message](characters)) };
  });
}
