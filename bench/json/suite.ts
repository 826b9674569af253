/** Time per character of streamed JSON, beside other libraries; memory; bytes on the wire. */
import { readFileSync } from "node:fs";
import type { CutName } from "../chunks.js";
import { namesOf, type Part, type Suite } from "../suite.js";
import { kept, memoryRatio } from "./counts.js";
import { documentNames, hasRecordings, recordingsFolder } from "./documents.js";
import { bounds, comparisons, goals, ratioOf, timeOf } from "./goals.js";
import { type ReaderName, readers } from "./readers.js";

const everyDocument: Part = {
  text: `## The same on every document

Contacts are small indented records, config is objects nested twelve deep, strings is four long strings, table is rows
of numbers, orders is one object of records with twenty keys each, and recordings repeats JSON that models wrote.`,
  head: [
    "",
    ...comparisons.map(({ ours, theirs, cut, goal }) => {
      const relation = goal.sign === "≥" ? "as fast as" : "of the time of";
      return `${ours}, ${cut}: ${relation} ${theirs}`;
    }),
  ],
  rows: documentNames.map((document) => [document, ...comparisons.map((it) => ratioOf(it, document))]),
};

/** They parse the whole text again for each chunk. Documents of more than 42 KB take minutes. */
const parsingAgain: readonly ReaderName[] = ["partial-json", "AI SDK", "JsonOutputParser"];

const readerCuts: readonly CutName[] = ["1-8", "64", "1 KB"];
/** Measured with each of them: the readers that the others are compared with. */
const references: readonly ReaderName[] = ["live value", "jsonriver", "for await"];

/** A snapshot copies the pointers of the open containers, so it is not meant for every token. */
function isShown(reader: ReaderName, cut: CutName): boolean {
  return references.includes(reader) || cut !== (reader.includes("snapshot") ? "1-8" : "64");
}

const everyReader: Part = {
  text: `## Every reader

Contacts of 1 MB, in milliseconds, by the size of the chunks. \`patches\` and \`snapshots\` are \`for await\` over
\`jsonParser().patches\` and \`.stream\`. \`write\` is the synchronous \`JsonParser\`. \`live value\` is its
\`write()\` and \`value\` in a \`for await\` over the chunks. None of the other readers here has patches. jsonriver
changes one value in place, like \`live value\`. @streamparser/json emits each growing value instead of the document.
stream-json shows only complete strings.`,
  head: ["", ...readerCuts],
  rows: namesOf(readers)
    .filter((reader) => reader !== "JSON.parse" && !parsingAgain.includes(reader))
    .map((reader) => [reader, ...readerCuts.map((cut) => (isShown(reader, cut) ? timeOf(reader, cut) : ""))]),
};

const sizes = [8, 42, 512];
const growing: readonly ReaderName[] = [
  ...(["patches", "write + takePatch", "JSON.parse", "for await", "jsonriver"] as const),
  ...(["@streamparser/json", "stream-json"] as const),
];

const growth: Part = {
  text: `## As the document grows

Contacts in chunks of 4 characters, milliseconds per document. The last three parse the whole text again per chunk.`,
  head: ["", ...sizes.map((size) => `${size} KB`)],
  rows: [...growing, ...parsingAgain].map((reader) => [
    reader,
    ...sizes.map((size) =>
      size > 42 && parsingAgain.includes(reader) ? "" : timeOf(reader, "4", "contacts", size),
    ),
  ]),
};

const memory: Part = {
  text: `## Memory

The heap in use after reading 2 MB in chunks of 4 characters with a patch per chunk and collecting garbage, with and
without the parser. The ratio compares it with the value of \`JSON.parse\`.`,
  head: ["", "JSON.parse", "value", "ratio", "value and parser", "ratio", "jsonriver", "ratio"],
  rows: documentNames.map((document) => [
    document,
    kept("JSON.parse", document),
    ...(["value", "value and parser", "jsonriver"] as const).flatMap((holder) => [
      kept(holder, document),
      memoryRatio(holder, document),
    ]),
  ]),
};

export const json: Suite = {
  name: "json",
  milliseconds: 60,
  smoke: /contacts, 8 KB|^(.*strict|write), contacts|^bytes kept by value, contacts|on the wire/,
  intro: `1 KB is 1,024 characters, 1 MB is 1,024 KB. ${peerVersions()}.${
    hasRecordings ? "" : `\n\nSkipped: the recorded streams, as there is no ${recordingsFolder}.`
  }`,
  parts: [goals, bounds, everyDocument, everyReader, growth, memory],
};

/** The installed versions of the other libraries. */
function peerVersions(): string {
  const names = ["jsonriver", "partial-json", "@streamparser/json", "stream-json", "@langchain/core", "ai"];
  const versions = names.map((name) => {
    const text = readFileSync(`node_modules/${name}/package.json`, "utf8");
    return `${name} ${(JSON.parse(text) as { readonly version: string }).version}`;
  });
  return versions.join(", ");
}
