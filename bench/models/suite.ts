/** Decoding bytes into message chunks, and merging chunks into messages. */
import { flatness, quotient } from "../statistics.js";
import type { Results, Suite, TimedCase } from "../suite.js";
import { figure, ratio, table, withRange } from "../table.js";
import { type DecoderName, decoderNames, decoders, passOver } from "./decoders.js";
import { charactersOf, type MergerName, mergers } from "./merging.js";
import { eventCount, expectedText, type ReadName, reads, wire } from "./wire.js";

/** The approximate number of deltas. */
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
  const medianOf = (id: string): number | undefined => results.get(id)?.median;
  const decoded = decoderNames.map((name) => [
    name,
    ...reads.map((read) => withRange(results.get(decodingId(name, read)))),
  ]);
  const faster = decoderNames
    .filter((name) => name !== "millrace")
    .map((name) => [
      name,
      ...reads.map((read) =>
        ratio(quotient(medianOf(decodingId(name, read)), medianOf(decodingId("millrace", read)))),
      ),
    ]);
  const merged = mergerNames.map((name) => [
    name,
    ...manyCounts.map((count) => figure(results.get(mergeId(name, count))?.median)),
    mergeCounts[name].length === manyCounts.length
      ? ratio(flatness(manyCounts.map((count) => medianOf(mergeId(name, count)))))
      : "",
  ]);
  const speedups = (["text", "tool call"] as const).map((what) => {
    const theirs = mergeId(`LangChain.js concat, ${what}`, comparedCount);
    return `${what}: ${ratio(quotient(medianOf(theirs), medianOf(mergeId(`mergeChunk, ${what}`, comparedCount))))}`;
  });
  return `## From bytes to message chunks

${eventCount.toLocaleString("en")} server-sent events of Chat Completions, by the size of the reads. Nanoseconds per event. The last three rows are lower
bounds: they only extract the text of the events, or only read the bytes.

${table(["", ...reads], decoded)}

Their time divided by ours. The goal: the openai SDK at least 2.5, the AI SDK at least 4.

${table(["", ...reads], faster)}

## Merging

One message in one-character deltas. Nanoseconds per delta; "flat within" is the highest of these divided by the lowest. The
chunks are created beforehand. \`mergeChunk\` and \`concat\` merge two chunks. \`mergeChunks\` reads a stream, parses growing arguments and
yields a snapshot after each delta. The goal: linear, and at least 100 times as fast as \`concat\` at ${comparedCount.toLocaleString("en")} deltas
(${speedups.join("; ")}).

${table(["", ...manyCounts.map((count) => count.toLocaleString("en")), "flat within"], merged)}`;
}
