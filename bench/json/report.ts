import type { CutName } from "../chunks.js";
import type { Results } from "../suite.js";
import { figure, kilobytes, ratio, table, withRange } from "../table.js";
import { idOf, timeOf, type JsonCase } from "./cases.js";
import { comparedSize, comparisons, ratioOf, sidesOf, type Comparison } from "./comparisons.js";
import { documentNames, documents } from "./documents.js";
import { goalRows } from "./goals.js";
import { holderNames, memoryId, memoryRatio } from "./memory.js";
import { isRead, readerCase, readerCuts, readers } from "./readers.js";
import { recordingsFolder } from "./recordings.js";
import { flatCuts, flatness, flatSizes, flatSubject, growing, growingCase } from "./scaling.js";
import { peerVersions } from "./versions.js";
import { wireCases, wireId } from "./wire.js";

/** Leaves out rows and tables without a figure. */
export function report(results: Results): string {
  return [
    `1 KB is 1,024 characters, 1 MB is 1,024 KB. ${peerVersions()}.`,
    documents.has("recordings") ? "" : `Skipped: the recorded streams, as there is no ${recordingsFolder}.`,
    section(
      "## The goals\n\nContacts of 1 MB unless the row says otherwise. Ratios of medians.",
      ["case", "ours", "ratio", "target", "beyond", "met"],
      goalRows(results).filter((row) => row.at(-1) !== "–"),
    ),
    section(
      `## The same on every document

Contacts are small indented records, config is objects nested twelve deep, strings is four long strings, table is rows of
numbers, orders is one object of records with twenty keys each, and recordings repeats JSON that models wrote.`,
      ...everyDocument(results),
    ),
    section("## Every document of 1 MB, in milliseconds", ...everyDocumentInMilliseconds(results)),
    section(
      `## Every reader

Contacts of 1 MB, in milliseconds, by the size of the chunks. \`patches\` and \`snapshots\` are \`for await\` over
\`jsonParser().patches\` and \`.stream\`. \`write\` is the synchronous \`JsonParser\`. \`live value\` is its \`write()\` and \`value\` in a
\`for await\` over the chunks. None of the other readers here has patches. jsonriver changes one value in place, like \`live value\`.
@streamparser/json emits each growing value instead of the document. stream-json shows only complete strings.`,
      ...everyReader(results),
    ),
    section(
      `## As the document grows

Contacts in chunks of 4 characters, milliseconds per document. The last three parse the whole text again for each chunk.`,
      ...growth(results),
    ),
    section(
      `## Cost per character

Nanoseconds per character for \`write()\` and \`takePatch()\`. "Flat within" is the highest cost among the sizes divided by the lowest.`,
      ...flatnessOfAll(results),
    ),
    section(
      `## Memory

The heap in use after reading 2 MB in chunks of 4 characters with a patch per chunk and collecting garbage, with and without
the parser. The ratio compares it with the value of \`JSON.parse\`.`,
      ...memory(results),
    ),
    section(
      `## On the wire

One string in an object, in chunks of 4 characters: bytes of the patches as JSON per character of the string.`,
      ...onTheWire(results),
    ),
  ]
    .filter((it) => it !== "")
    .join("\n\n");
}

type Table = readonly [head: readonly string[], rows: readonly (readonly string[])[]];

function section(text: string, ...[head, rows]: Table): string {
  const measured = rows.filter(([, ...cells]) => cells.some((it) => it !== "–" && it !== ""));
  return measured.length === 0 ? "" : `${text}\n\n${table(head, measured)}`;
}

function everyDocument(results: Results): Table {
  const rows = documentNames.map((document) => [
    document,
    ...comparisons.map((it) => ratio(ratioOf(it, sidesOf(it, document, comparedSize), results))),
  ]);
  return [["", ...comparisons.map(headingOf)], rows];
}

function headingOf({ ours, theirs, cut, goal }: Comparison): string {
  return `${ours}, ${cut}: ${goal.sense === "at least" ? "as fast as" : "of the time of"} ${theirs}`;
}

function everyDocumentInMilliseconds(results: Results): Table {
  const columns = comparisons.flatMap((it) => {
    const { ours, theirs } = sidesOf(it, "", comparedSize);
    return [ours, theirs];
  });
  const distinct = [...new Map(columns.map((it) => [`${it.subject}, ${it.cut}`, it]))];
  const rows = documentNames.map((document) => [
    document,
    ...distinct.map(([, it]) => duration({ ...it, document }, results)),
  ]);
  return [["", ...distinct.map(([name]) => name)], rows];
}

function everyReader(results: Results): Table {
  const rows = readers.map((subject) => [
    subject,
    ...readerCuts.map((cut) =>
      isRead(subject, cut) ? withRange(timeOf(readerCase(subject, cut), results)) : "",
    ),
  ]);
  return [["", ...readerCuts], rows];
}

function growth(results: Results): Table {
  const sizes = [...new Set([...growing.values()].flat())].sort((a, b) => a - b);
  const rows = [...growing].map(([subject, its]) => [
    subject,
    ...sizes.map((size) => (its.includes(size) ? duration(growingCase(subject, size), results) : "")),
  ]);
  return [["", ...sizes.map((size) => `${size} KB`)], rows];
}

function flatnessOfAll(results: Results): Table {
  const cell = (document: string, size: number, cut: CutName): string =>
    figure(results.get(idOf({ subject: flatSubject, document, size, cut }))?.median);
  const rows = documentNames.map((document) => [
    document,
    ...flatCuts.flatMap((cut) => [
      ...flatSizes.map((size) => cell(document, size, cut)),
      ratio(flatness(document, cut, results)),
    ]),
  ]);
  const heading = flatCuts.flatMap((cut) => [
    ...flatSizes.map((size) => `${cut}: ${size} KB`),
    "flat within",
  ]);
  return [["", ...heading], rows];
}

function memory(results: Results): Table {
  const rows = documentNames.map((document) => [
    document,
    ...holderNames.flatMap((holder) => {
      const kept = kilobytes(results.get(memoryId(holder, document))?.median);
      return holder === "JSON.parse" ? [kept] : [kept, ratio(memoryRatio(holder, document, results))];
    }),
  ]);
  const heading = holderNames.flatMap((holder) => (holder === "JSON.parse" ? [holder] : [holder, "ratio"]));
  return [["", ...heading], rows];
}

function onTheWire(results: Results): Table {
  const rows = wireCases.map((it) => [
    `${it.size} KB, ${it.append ? "append" : "replace"}`,
    figure(results.get(wireId(it))?.median),
  ]);
  return [["", "bytes a character"], rows];
}

function duration(it: JsonCase, results: Results): string {
  return figure(timeOf(it, results)?.median);
}
