import type { CutName } from "../chunks.js";
import type { Results } from "../suite.js";
import { figure, kilobytes, ratio, table, withRange } from "../table.js";
import { idOf, timeOf, type JsonCase } from "./cases.js";
import { comparedSize, comparisons, ratioOf, sidesOf } from "./comparisons.js";
import { documentNames, documents } from "./documents.js";
import { goalRows } from "./goals.js";
import { holderNames, memoryId, memoryRatio } from "./memory.js";
import { peerVersions } from "./versions.js";
import { isRead, readerCase, readerCuts, readers } from "./readers.js";
import { recordingsFolder } from "./recordings.js";
import { flatCuts, flatness, flatSizes, flatSubject, growing, growingCase } from "./scaling.js";
import { wireCases, wireId } from "./wire.js";

export function report(results: Results): string {
  const skipped = documents.has("recordings")
    ? ""
    : `\n\nSkipped: the recorded streams, as they are not in ${recordingsFolder}.`;
  return `1 KB is 1,024 characters, 1 MB is 1,024 KB. ${peerVersions()}.${skipped}

## The goals

Contacts of 1 MB where nothing else is said. Ratios of medians.

${table(["case", "ours", "ratio", "target", "beyond", "met"], goalRows(results))}

## The same on every document

${everyDocument(results)}

In milliseconds for 1 MB:

${everyDocumentInMilliseconds(results)}

## Every reader

Contacts of 1 MB, in milliseconds, by the size of the chunks.

${everyReader(results)}

## As the document grows

Contacts, 4 characters a chunk, in milliseconds for the document.

${growth(results)}

Nanoseconds a character, \`write()\` and \`takePatch()\`, and how much the dearest of the sizes costs of the cheapest.

${flatnessOfAll(results)}

## Memory

What stays of 2 MB read in chunks of 4 characters, a patch taken after each: the heap in use after garbage collection, with
the parser gone and with it kept. The ratio is that to the value that \`JSON.parse\` makes.

${memory(results)}

## On the wire

One string in an object, in chunks of 4 characters: bytes of its patches as JSON, for each of its characters.

${onTheWire(results)}`;
}

function everyDocument(results: Results): string {
  const rows = documentNames.map((document) => [
    document,
    ...comparisons.map((it) => ratio(ratioOf(it, sidesOf(it, document, comparedSize), results))),
  ]);
  return table(["", ...comparisons.map(headingOf)], rows);
}

function headingOf({ ours, theirs, cut, goal }: (typeof comparisons)[number]): string {
  const relation = goal.sense === "at least" ? "as fast as" : "of the time of";
  return `${ours}, ${cut}: ${relation} ${theirs}`;
}

function everyDocumentInMilliseconds(results: Results): string {
  const columns = [
    ...comparisons.flatMap((it) => {
      const { ours, theirs } = sidesOf(it, "", comparedSize);
      return [ours, theirs];
    }),
  ];
  const distinct = [...new Map(columns.map((it) => [`${it.subject}, ${it.cut}`, it]))];
  const rows = documentNames.map((document) => [
    document,
    ...distinct.map(([, it]) => duration(results, { ...it, document })),
  ]);
  return table(["", ...distinct.map(([name]) => name)], rows);
}

function everyReader(results: Results): string {
  const rows = readers.map((subject) => [
    subject,
    ...readerCuts.map((cut) =>
      isRead(subject, cut) ? withRange(timeOf(readerCase(subject, cut), results)) : "",
    ),
  ]);
  return table(["", ...readerCuts], rows);
}

function growth(results: Results): string {
  const sizes = [...new Set([...growing.values()].flat())].sort((a, b) => a - b);
  const rows = [...growing].map(([subject, its]) => [
    subject,
    ...sizes.map((size) => (its.includes(size) ? duration(results, growingCase(subject, size)) : "")),
  ]);
  return table(["", ...sizes.map((size) => `${size} KB`)], rows);
}

function flatnessOfAll(results: Results): string {
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
  return table(["", ...heading], rows);
}

function memory(results: Results): string {
  const rows = documentNames.map((document) => [
    document,
    ...holderNames.flatMap((holder) => {
      const kept = kilobytes(results.get(memoryId(holder, document))?.median);
      return holder === "JSON.parse" ? [kept] : [kept, ratio(memoryRatio(holder, document, results))];
    }),
  ]);
  const heading = holderNames.flatMap((holder) => (holder === "JSON.parse" ? [holder] : [holder, "ratio"]));
  return table(["", ...heading], rows);
}

function onTheWire(results: Results): string {
  const rows = wireCases.map((it) => [
    `${it.size} KB, ${it.append ? "append" : "replace"}`,
    figure(results.get(wireId(it))?.median),
  ]);
  return table(["", "bytes a character"], rows);
}

function duration(results: Results, it: JsonCase): string {
  return figure(timeOf(it, results)?.median);
}
