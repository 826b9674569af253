import { blocks } from "../chunks.js";
import type { Results, TimedCase } from "../suite.js";
import { figure, ratio, table } from "../table.js";
import { type ListReaderName, listReaderNames, listReaders } from "./list-readers.js";
import { type ListKind, listKinds, listTexts } from "./list-texts.js";
import { flatness, quotient } from "../statistics.js";
import type { Section } from "../suite.js";

/** Items per list. LangChain.js would take minutes for the longest. */
const counts = [1_000, 10_000, 40_000, 100_000] as const;
const peer: ListReaderName = "LangChain.js";
const countsOf = (name: ListReaderName): readonly number[] => (name === peer ? counts.slice(0, 3) : counts);

export const lists: Section = {
  cases: listReaderNames.flatMap((name) =>
    listKinds.flatMap((kind) => countsOf(name).map((count) => listCase(name, kind, count))),
  ),
  smoke: (id) => id.endsWith(" list of 1000"),
  report,
};

function idOf(name: ListReaderName, kind: ListKind, count: number): string {
  return `${name}, ${kind} list of ${count}`;
}

function listCase(name: ListReaderName, kind: ListKind, count: number): TimedCase {
  return {
    id: idOf(name, kind, count),
    load: async () => {
      const read = await listReaders[name](kind);
      const chunks = blocks(listTexts[kind](count), 4);
      return async () => {
        const found = await read(chunks);
        // LangChain.js loses items.
        if (found !== count && name !== peer) throw new Error(`Read ${found} items instead of ${count}`);
        return count;
      };
    },
  };
}

function report(results: Results): string {
  const medianOf = (name: ListReaderName, kind: ListKind, count: number): number | undefined =>
    results.get(idOf(name, kind, count))?.median;
  const rows = listKinds.flatMap((kind) =>
    listReaderNames.map((name) => [
      `${kind}, ${name}`,
      ...counts.map((count) => figure(medianOf(name, kind, count))),
      name === peer ? "" : ratio(flatness(counts.map((count) => medianOf(name, kind, count)))),
    ]),
  );
  const faster = listKinds.map((kind) => [
    kind,
    ...countsOf(peer).map((count) =>
      ratio(quotient(medianOf(peer, kind, count), medianOf("millrace", kind, count))),
    ),
  ]);
  const head = counts.map((count) => `${count.toLocaleString("en")} items`);
  return `## Lists

Nanoseconds per item, in chunks of 4 characters. "Flat within" is the highest cost among the counts divided by the lowest.
\`listParser\` is the general parser with a regular expression.

${table(["", ...head, "flat within"], rows)}

The time of LangChain.js divided by ours. The goal: at least 8 at 10,000 items and 40 at 40,000.

${table(["", ...head.slice(0, countsOf(peer).length)], faster)}`;
}
