/** Merging the chunks of a message, beside LangChain.js. */
import type { MessageChunk } from "millrace";
import { type Cell, type Figure, timed } from "../harness/figures.js";
import { compared, type Goal, type Part } from "../harness/suite.js";
import { grid, namesOf, withFlatness } from "../harness/tables.js";
import { inputs } from "../inputs.js";
import { callChunks, textChunks } from "../model-streams.js";
import { drain, keep } from "../reading.js";
import { langChainChunks } from "../untyped-peers.js";

/** One-character deltas. */
const messages = { text: textChunks, "tool call": callChunks };
type Message = keyof typeof messages;

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

export const merging: Part = withFlatness(
  grid({
    text: `## Merging

One message in one-character deltas. Nanoseconds per delta; "flat within" is the highest of these divided by the lowest.
The chunks are created beforehand. \`mergeChunk\` and \`concat\` merge two chunks. \`mergeChunks\` reads a stream,
parses growing arguments and yields a snapshot after each delta.`,
    rows: namesOf(mergers).flatMap((merger) =>
      namesOf(messages).map((message) => `${merger}, ${message}` as const),
    ),
    columns: [1_000, 8_000, 32_000, 100_000],
    heading: (count) => count.toLocaleString("en"),
    cell: (name, count): Cell =>
      // It takes minutes.
      name === "LangChain.js concat, tool call" && count === 100_000 ? "" : costOf(name, count),
  }),
);

export const mergingGoals: readonly Goal[] = namesOf(messages).map((message) => {
  const name = `merging 8,000 deltas of a ${message}: time of LangChain.js divided by ours`;
  const theirs = costOf(`LangChain.js concat, ${message}`, 8_000);
  return compared(name, costOf(`mergeChunk, ${message}`, 8_000), theirs, "≥ 100", message === "text");
});

function costOf(name: `${MergerName}, ${Message}`, count: number): Figure {
  return timed(`${name}, ${count}`, async () => {
    const [merger, message] = name.split(", ") as [MergerName, Message];
    const characters = Array.from(`{"contacts":${inputs.contacts(count)}}`);
    return { units: characters.length, run: await mergers[merger](messages[message](characters)) };
  });
}
