/** Time per character of streamed JSON, beside other libraries; memory; bytes on the wire. */
import type { Suite } from "../suite.js";
import { idOf, type JsonCase, timed } from "./cases.js";
import {
  againstLangChain,
  againstLangChainSize,
  comparedSize,
  comparisons,
  sidesOf,
  type Sides,
} from "./comparisons.js";
import { documentNames } from "./documents.js";
import { memoryCases, memoryId } from "./memory.js";
import { readerCases } from "./readers.js";
import { report } from "./report.js";
import { flatCases, flatGroup, growing, growingCase, growingCases } from "./scaling.js";
import { wire, wireCases, wireId } from "./wire.js";

const compared = documentNames.flatMap((document) =>
  comparisons.flatMap((comparison) => bothOf(sidesOf(comparison, document, comparedSize))),
);
const comparedIds = new Set(compared.map(idOf));
const cases = [
  ...compared,
  ...bothOf(sidesOf(againstLangChain, "contacts", againstLangChainSize)),
  ...readerCases,
  ...flatCases,
  ...growingCases,
];
const distinct = new Map(cases.map((it) => [idOf(it), it]));

/** Each reader on a small document, and each kind of count. */
const quick = new Set([
  ...[...growing.keys()].map((subject) => idOf(growingCase(subject, 8))),
  ...comparisons
    .filter(({ ours }) => !growing.has(ours))
    .map((comparison) => idOf(sidesOf(comparison, "contacts", comparedSize).ours)),
  memoryId("value", "contacts"),
  wireId(wireCases[0]),
]);

/** The cases in the table of goals. */
const decisive = new Set(
  [...compared.filter(({ document }) => document === "contacts"), ...flatCases].map(idOf),
);

function bothOf({ ours, theirs }: Sides): readonly JsonCase[] {
  return [ours, theirs];
}

function groupOf(it: JsonCase): string | undefined {
  return comparedIds.has(idOf(it)) ? it.document : flatGroup(it);
}

export const json: Suite = {
  name: "json",
  cases: [...[...distinct.values()].map((it) => timed(it, groupOf(it))), ...memoryCases, ...wire],
  milliseconds: 125,
  smoke: (id) => quick.has(id),
  decisive: (id) => decisive.has(id),
  report,
};
