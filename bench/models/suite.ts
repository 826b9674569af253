/** Models: from the bytes of a stream to message chunks, and from chunks to the message. */
import type { Results, Suite, TimedCase } from "../suite.js";
import { figure, ratio, table, withRange } from "../table.js";
import { type DecoderName, decoderNames, decoders, passOver } from "./decoders.js";
import { charactersOf, type MergerName, mergers } from "./merging.js";
import { eventCount, expectedText, type ReadName, reads, wire } from "./wire.js";

/** About how many deltas each is given. */
const manyCounts: readonly number[] = [1_000, 8_000, 32_000, 100_000];
const mergeCounts: Readonly<Record<MergerName, readonly number[]>> = {
  "mergeChunks, text": manyCounts,
  "mergeChunks, tool call": manyCounts,
  "mergeChunk, text": manyCounts,
  "mergeChunk, tool call": manyCounts,
  "LangChain.js concat, text": manyCounts,
  "LangChain.js concat, tool call": [1_000, 8_000, 32_000],
};
const mergerNames = Object.keys(mergers) as MergerName[];
const comparedCount = 8_000;

export const models: Suite = {
  name: "models",
  cases: [
    ...decoderNames.flatMap((name) => reads.map((read) => decoding(name, read))),
    ...mergerNames.flatMap((name) => mergeCounts[name].map((count) => mergingCase(name, count))),
  ],
  milliseconds: 300,
  smoke: (id) => id.endsWith("16 KB") || id.endsWith(", 1000"),
  report,
};

function decodingId(name: DecoderName, read: ReadName): string {
  return `${name}, ${read}`;
}

function mergeId(name: MergerName, count: number): string {
  return `${name}, ${count}`;
}

function decoding(name: DecoderName, read: ReadName): TimedCase {
  return {
    id: decodingId(name, read),
    load: async () => {
      const decoder = await decoders[name]();
      const pieces = wire(read);
      const expected = expectedText();
      return async () => {
        await passOver(decoder, pieces, expected);
        return eventCount;
      };
    },
  };
}

function mergingCase(name: MergerName, count: number): TimedCase {
  return {
    id: mergeId(name, count),
    load: async () => {
      const prepare = await mergers[name]();
      const characters = charactersOf(count);
      const merge = prepare(characters);
      return async () => {
        await merge();
        return characters.length;
      };
    },
  };
}

function report(results: Results): string {
  const decoded = decoderNames.map((name) => [
    name,
    ...reads.map((read) => withRange(results.get(decodingId(name, read)))),
  ]);
  const faster = decoderNames
    .filter((name) => name !== "millrace")
    .map((name) => [
      name,
      ...reads.map((read) => ratio(divided(results, decodingId(name, read), decodingId("millrace", read)))),
    ]);
  const merged = mergerNames.map((name) => [
    name,
    ...manyCounts.map((count) => figure(results.get(mergeId(name, count))?.median)),
    mergeCounts[name].length === manyCounts.length ? ratio(flatness(results, name)) : "",
  ]);
  const speedups = (["text", "tool call"] as const).map((what) => {
    const theirs = mergeId(`LangChain.js concat, ${what}`, comparedCount);
    return `${what}: ${ratio(divided(results, theirs, mergeId(`mergeChunk, ${what}`, comparedCount)))}`;
  });
  return `## From bytes to message chunks

Server-sent events of Chat Completions, ${eventCount.toLocaleString("en")} of them, in reads of so many bytes: nanoseconds an event. The last three are
floors: they make nothing of the events but their text, or look at no byte of what they read.

${table(["", ...reads], decoded)}

How many times our time they take. The goal: the openai SDK at least 2.5, the AI SDK at least 4.

${table(["", ...reads], faster)}

## Merging

One-character deltas of one message: nanoseconds a delta, and how much the dearest of the counts costs of the cheapest. The
chunks are made beforehand. \`mergeChunk\` and \`concat\` put two of them together, \`mergeChunks\` reads a stream, parses the arguments as they grow and
hands out a snapshot after each delta. The goal: linear, and at least 100 times as fast as \`concat\` at ${comparedCount.toLocaleString("en")} deltas
(${speedups.join("; ")}).

${table(["", ...manyCounts.map((count) => count.toLocaleString("en")), "flat within"], merged)}`;
}

function divided(results: Results, id: string, by: string): number | undefined {
  const [a, b] = [results.get(id)?.median, results.get(by)?.median];
  return a === undefined || b === undefined ? undefined : a / b;
}

function flatness(results: Results, name: MergerName): number | undefined {
  const costs = mergeCounts[name].flatMap((count) => results.get(mergeId(name, count))?.median ?? []);
  return costs.length === mergeCounts[name].length ? Math.max(...costs) / Math.min(...costs) : undefined;
}
