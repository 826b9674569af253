/** What a character of JSON costs while it streams, ours and the peers'; what stays in memory, and goes over the wire. */
import type { Suite } from "../suite.js";
import { idOf, type JsonCase, timed } from "./cases.js";
import { againstLangChain, againstLangChainSize, comparedSize, comparisons, sidesOf } from "./comparisons.js";
import { documentNames } from "./documents.js";
import { memoryCases, memoryId } from "./memory.js";
import { plotOf } from "./plot-of.js";
import { readerCases } from "./readers.js";
import { report } from "./report.js";
import { flatCases, flatGroup, growing, growingCase, growingCases } from "./scaling.js";
import { wire, wireCases, wireId } from "./wire.js";

const compared = documentNames.flatMap((document) =>
  comparisons.map((comparison) => sidesOf(comparison, document, comparedSize)),
);
const cases = [...compared, sidesOf(againstLangChain, "contacts", againstLangChainSize)]
  .flatMap(({ ours, theirs }) => [ours, theirs])
  .concat(readerCases, flatCases, growingCases);
const distinct = new Map(cases.map((it) => [idOf(it), it]));

/** Each reader on a small document, and each way of counting. */
const quick = new Set([
  ...[...growing.keys()].map((subject) => idOf(growingCase(subject, 8))),
  ...comparisons
    .filter(({ ours }) => !growing.has(ours))
    .map((comparison) => idOf(sidesOf(comparison, "contacts", comparedSize).ours)),
  memoryId("value", "contacts"),
  wireId(wireCases[0]),
]);

/** What the rows of the goals compare. */
const decisive = new Set(
  comparisons
    .map((comparison) => sidesOf(comparison, "contacts", comparedSize))
    .flatMap(({ ours, theirs }) => [idOf(ours), idOf(theirs)]),
);

function groupOf(it: JsonCase): string | undefined {
  return decisive.has(idOf(it)) ? "the goals" : flatGroup(it);
}

export const json: Suite = {
  name: "json",
  cases: [...[...distinct.values()].map((it) => timed(it, groupOf(it))), ...memoryCases, ...wire],
  milliseconds: 125,
  smoke: (id) => quick.has(id),
  decisive: (id) => decisive.has(id),
  report,
  plot: plotOf,
};
