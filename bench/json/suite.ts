/** Time per character of streamed JSON, beside other libraries; memory; bytes on the wire. */
import { readFileSync } from "node:fs";
import { type Figure, flatness, highest, megabytesASecond, scaled } from "../harness/figures.js";
import { type Bound, compared, goal, type Goal, type Part, type Suite } from "../harness/suite.js";
import { grid, namesOf } from "../harness/tables.js";
import { type CutName, cuts } from "../inputs.js";
import { readingCost } from "../reading.js";
import { documentNames, documentOf, hasRecordings, recordingsFolder } from "./documents.js";
import { appendedBytes, memoryRatio } from "./memory.js";
import { type ReaderName, readers } from "./readers.js";

/** Nanoseconds per character of a document of `size` KB (1,024 characters). */
export function costOf(reader: ReaderName, cut: CutName, document: string, size: number): Figure {
  const id = `${reader}, ${document}, ${size} KB, ${cut}`;
  return readingCost(id, readers[reader], async () => cuts[cut](await documentOf(document, size)));
}

/** Milliseconds for the document. `JSON.parse` always reads it in one chunk. */
export function timeOf(reader: ReaderName, cut: CutName, document = "contacts", size = 1024): Figure {
  const cost = costOf(reader, reader === "JSON.parse" ? "whole" : cut, document, size);
  const characters = size * 1024;
  return {
    ...scaled(cost, characters / 1e6),
    unit: (ms) => `ms, ${megabytesASecond(characters, ms * 1e6)}`,
  };
}

interface Comparison {
  readonly ours: ReaderName;
  readonly theirs: ReaderName;
  readonly cut: CutName;
  /** At least (≥) a multiple of their speed, or at most (≤) a multiple of their time. */
  readonly bound: Bound;
}

/** Most are strict, because jsonriver and `JSON.parse` read only JSON. */
const comparisons: readonly Comparison[] = [
  { ours: "patches, strict", theirs: "jsonriver", cut: "1-8", bound: "≥ 1.7" },
  { ours: "patches", theirs: "jsonriver", cut: "1-8", bound: "≥ 1.7" },
  { ours: "write + takePatch", theirs: "JSON.parse", cut: "1-8", bound: "≤ 10" },
  { ours: "patches, strict", theirs: "jsonriver", cut: "1 KB", bound: "≥ 2.5" },
  { ours: "patches", theirs: "jsonriver", cut: "1 KB", bound: "≥ 2.5" },
  { ours: "patches, strict", theirs: "JSON.parse", cut: "1 KB", bound: "≤ 2.5" },
  { ours: "write", theirs: "JSON.parse", cut: "whole", bound: "≤ 1.5" },
  { ours: "snapshots, strict", theirs: "jsonriver", cut: "64", bound: "≥ 0.9" },
];

function nameOf({ ours, theirs, cut, bound }: Comparison): string {
  return `${ours}, ${cut}: ${bound.startsWith("≥") ? "as fast as" : "of the time of"} ${theirs}`;
}

function goalOf(comparison: Comparison, document = "contacts", size = 1024, main = false): Goal {
  const { ours, theirs, cut, bound } = comparison;
  const [our, their] = [timeOf(ours, cut, document, size), timeOf(theirs, cut, document, size)];
  return compared(nameOf(comparison), our, their, bound, main);
}

/** The highest cost of a character divided by the lowest. A constant async cost per chunk would hide growth. */
function costFlatness(document: string, cut: CutName): Figure {
  return flatness([64, 2048].map((size) => costOf("write + takePatch", cut, document, size)));
}

const goals: readonly Goal[] = [
  ...comparisons.map((it) => goalOf(it, "contacts", 1024, true)),
  goalOf({ ours: "patches", theirs: "JsonOutputParser", cut: "4", bound: "≥ 500" }, "contacts", 42),
  goal(
    "cost per character, 64 KB to 2 MB: highest divided by lowest, worst document",
    highest(documentNames.flatMap((it) => [costFlatness(it, "4"), costFlatness(it, "1 KB")])),
    "≤ 1.5",
  ),
  ...(["value", "value and parser"] as const).map((holder) =>
    goal(
      `memory of the ${holder} after 2 MB in chunks of 4: of that of JSON.parse, worst document`,
      highest(documentNames.map((document) => memoryRatio(holder, document))),
      "≤ 1.5",
    ),
  ),
  goal(
    "one string of 200 KB in chunks of 4, `append: true`: bytes on the wire per character",
    appendedBytes,
    "≤ 20",
  ),
];

const everyDocument: Part = grid({
  text: `## The same on every document

Contacts are small indented records, config is objects nested twelve deep, strings is four long strings, table is rows
of numbers, orders is one object of records with twenty keys each, and recordings repeats JSON that models wrote.
Higher is better for "as fast as", and lower for "of the time of".`,
  rows: documentNames,
  columns: comparisons,
  heading: nameOf,
  cell: (document, comparison) => goalOf(comparison, document).result,
});

/** Documents of more than 42 KB take them minutes. */
const parsingAgain: readonly ReaderName[] = ["partial-json", "AI SDK", "JsonOutputParser"];

/** The references are shown with each cut. Snapshots copy the open containers, so they are not for every token. */
function isShown(reader: ReaderName, cut: CutName): boolean {
  if (reader === "live value" || reader === "jsonriver") return true;
  return cut !== (reader.includes("snapshot") ? "1-8" : "64");
}

const everyReader: Part = grid({
  text: `## Every reader

Contacts of 1 MB, in milliseconds (lower is better), by the size of the chunks. \`patches\` and \`snapshots\` are \`for await\` over
\`jsonParser().patches\` and \`.stream\`. \`write\` is the synchronous \`JsonParser\`. \`live value\` is its
\`write()\` and \`value\` in a \`for await\` over the chunks. None of the other readers here has patches. jsonriver
changes one value in place, like \`live value\`. @streamparser/json emits each growing value instead of the document.
stream-json shows only complete strings.`,
  rows: namesOf(readers).filter((reader) => reader !== "JSON.parse" && !parsingAgain.includes(reader)),
  columns: ["1-8", "64", "1 KB"] as const,
  cell: (reader, cut) => (isShown(reader, cut) ? timeOf(reader, cut) : ""),
});

const growth: Part = grid({
  text: `## As the document grows

Contacts in chunks of 4 characters, milliseconds per document (lower is better). The last three parse the whole text again per chunk.`,
  rows: [
    ...(["patches", "write + takePatch", "jsonriver", "@streamparser/json", "stream-json"] as const),
    "JSON.parse" as const,
    ...parsingAgain,
  ],
  columns: [8, 42, 512, 2048],
  heading: (size) => `${size} KB`,
  cell: (reader, size) =>
    size > 42 && parsingAgain.includes(reader) ? "" : timeOf(reader, "4", "contacts", size),
});

const peers = ["jsonriver", "partial-json", "@streamparser/json", "stream-json", "@langchain/core", "ai"];
const versions = peers.map((name) => {
  const text = readFileSync(`node_modules/${name}/package.json`, "utf8");
  return `${name} ${(JSON.parse(text) as { readonly version: string }).version}`;
});

export const json: Suite = {
  name: "json",
  milliseconds: 60,
  smoke: /contacts, 8 KB|^snapshots, strict, contacts, .*, 64$|^bytes kept by value, contacts|on the wire/,
  intro: `1 KB is 1,024 characters, 1 MB is 1,024 KB. The goals are for contacts of 1 MB, with JsonOutputParser of 42 KB,
and \`strict\` is without extraction and repair. At four characters a token, 1 MB/s is 250,000 tokens/s. ${versions.join(", ")}.${
    hasRecordings ? "" : `\n\nSkipped: the recorded streams, as there is no ${recordingsFolder}.`
  }`,
  goals,
  parts: [everyDocument, everyReader, growth],
};
