/** The goals of the suite, and the cases that they compare. */
import { type CutName, cuts } from "../chunks.js";
import { type Cell, type Figure, flatness, highest, quotient, scaled, suffixed, timed } from "../figures.js";
import { atLeast, atMost, type Goal, lessThan, met } from "../goals.js";
import type { Part } from "../suite.js";
import { appendedBytes, memoryRatio } from "./counts.js";
import { documentNames, documentOf } from "./documents.js";
import { type ReaderName, readers } from "./readers.js";

/** Milliseconds for a document of `size` KB (1,024 characters). `JSON.parse` always reads it in one chunk. */
export function timeOf(reader: ReaderName, cut: CutName, document = "contacts", size = 1024): Figure {
  const its = reader === "JSON.parse" ? "whole" : cut;
  return scaled(costOf(reader, its, document, size), (size * 1024) / 1e6);
}

/** Nanoseconds per character. The chunks are created before the first run, so they cost nothing. */
function costOf(reader: ReaderName, cut: CutName, document: string, size: number): Figure {
  return timed(`${reader}, ${document}, ${size} KB, ${cut}`, async () => {
    const text = await documentOf(document, size);
    const chunks = cuts[cut](text);
    const read = await readers[reader]();
    return { units: text.length, run: () => read(chunks) };
  });
}

/** A goal: our time or speed compared with another reader of the same document. */
interface Comparison {
  readonly ours: ReaderName;
  readonly theirs: ReaderName;
  readonly cut: CutName;
  /** In KB. Default: 1 MB. */
  readonly size?: number;
  /** "At least" a multiple of their speed or "at most" a multiple of their time. */
  readonly goal: Goal;
}

/** Most are strict, because jsonriver and `JSON.parse` read only JSON. */
export const comparisons: readonly Comparison[] = [
  { ours: "patches, strict", theirs: "jsonriver", cut: "1-8", goal: atLeast(1.7, 2.2) },
  { ours: "patches", theirs: "jsonriver", cut: "1-8", goal: atLeast(1.7, 2.2) },
  { ours: "write + takePatch", theirs: "JSON.parse", cut: "1-8", goal: atMost(10, 6) },
  { ours: "patches, strict", theirs: "jsonriver", cut: "1 KB", goal: atLeast(2.5, 4) },
  { ours: "patches", theirs: "jsonriver", cut: "1 KB", goal: atLeast(2.5, 4) },
  { ours: "patches, strict", theirs: "JSON.parse", cut: "1 KB", goal: atMost(2.5, 1.5) },
  { ours: "write", theirs: "JSON.parse", cut: "whole", goal: atMost(1.5, 1.1) },
  { ours: "snapshots, strict", theirs: "jsonriver", cut: "64", goal: atLeast(1, 2) },
];

export function ratioOf(comparison: Comparison, document?: string): Figure {
  const { ours, theirs, cut, size, goal } = comparison;
  const [our, their] = [timeOf(ours, cut, document, size), timeOf(theirs, cut, document, size)];
  return goal.sign === "≥" ? quotient(their, our) : quotient(our, their);
}

function comparedRow(comparison: Comparison): readonly Cell[] {
  const { ours, theirs, cut, size, goal } = comparison;
  const what = `${ours}, ${cut}${size === undefined ? "" : `, ${size} KB`}`;
  const time = suffixed(timeOf(ours, cut, "contacts", size), " ms");
  const relation = ` x the ${goal.sign === "≥" ? "speed" : "time"} of ${theirs}`;
  return goalRow(what, time, ratioOf(comparison), goal, relation);
}

function goalRow(what: string, ours: Cell, figure: Figure, goal: Goal, unit = ""): readonly Cell[] {
  const { sign, target, beyond } = goal;
  const bounds = [`${sign} ${target}`, beyond === undefined ? "" : `${sign} ${beyond}`];
  return [what, ours, suffixed(figure, unit), ...bounds, met(figure, goal)];
}

/** The highest cost of a character divided by the lowest. A constant async cost per chunk would hide growth. */
function costFlatness(document: string, cut: CutName): Figure {
  return flatness([64, 2048].map((size) => costOf("write + takePatch", cut, document, size)));
}

export const goals: Part = {
  text: `## The goals

Contacts of 1 MB unless the row says otherwise. Ratios of medians. A row names a reader (see "Every reader") and the
size of the chunks. \`strict\` is without extraction and repair.`,
  head: ["case", "ours", "ratio", "target", "beyond", "met"],
  decisive: true,
  rows: [
    ...comparisons.map(comparedRow),
    comparedRow({ ours: "patches", theirs: "JsonOutputParser", cut: "4", size: 42, goal: atLeast(500) }),
  ],
};

/** Counts, and costs that are compared with each other: one process a round is enough. */
export const bounds: Part = {
  text: "## Linear time, memory and bytes",
  head: goals.head,
  rows: [
    goalRow(
      "cost per character, 64 KB to 2 MB: highest divided by lowest, worst document",
      "",
      highest(documentNames.flatMap((it) => [costFlatness(it, "4"), costFlatness(it, "1 KB")])),
      atMost(1.5, 1.2),
    ),
    ...(["value", "value and parser"] as const).map((holder) =>
      goalRow(
        `memory after 2 MB in 4 characters a chunk: ${holder}, worst document`,
        "",
        highest(documentNames.map((document) => memoryRatio(holder, document))),
        atMost(1.5, 1.1),
        " x that of JSON.parse",
      ),
    ),
    goalRow(
      "one string of 200 KB in 4 characters a chunk, `append: true`: bytes on the wire a character",
      "",
      appendedBytes,
      lessThan(20),
    ),
  ],
};
