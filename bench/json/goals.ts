import type { Results } from "../suite.js";
import { figure, ratio, withRange } from "../table.js";
import { timeOf } from "./cases.js";
import {
  againstLangChain,
  againstLangChainSize,
  comparedSize,
  comparisons,
  ratioOf,
  sidesOf,
  goalState,
  type Comparison,
  type Goal,
} from "./comparisons.js";
import { documentNames } from "./documents.js";
import { memoryGoal, memoryRatio, type Holder } from "./memory.js";
import { flatCuts, flatGoal, flatness } from "./scaling.js";
import { wireCases, wireGoal, wireId } from "./wire.js";

/** A row per goal: case, our figure, ratio, target, stretch target, result. */
export function goalRows(results: Results): string[][] {
  return [
    ...comparisons.map((it) => compared(it, comparedSize, results)),
    compared(againstLangChain, againstLangChainSize, results),
    flatRow(results),
    memoryRow("value", "the value", results),
    memoryRow("value and parser", "the value and its parser", results),
    wireRow(results),
  ];
}

function compared(comparison: Comparison, size: number, results: Results): string[] {
  const sides = sidesOf(comparison, "contacts", size);
  const factor = ratioOf(comparison, sides, results);
  const { theirs, what, goal } = comparison;
  const ours = withRange(timeOf(sides.ours, results));
  return [what, ours === "–" ? ours : `${ours} ms`, relation(factor, theirs, goal), ...judged(factor, goal)];
}

function relation(factor: number | undefined, theirs: string, { sense }: Goal): string {
  if (factor === undefined) return "–";
  return `${ratio(factor)} x the ${sense === "at least" ? "speed" : "time"} of ${theirs}`;
}

/** The worst document. */
function flatRow(results: Results): string[] {
  const all = documentNames.flatMap((document) =>
    flatCuts.map((cut) => ({ name: `${document}, ${cut}`, value: flatness(document, cut, results) })),
  );
  const worst = worstOf(all);
  const what = "cost per character, 64 KB to 2 MB: highest divided by lowest, worst document";
  return [what, worst?.name ?? "–", ratio(worst?.value), ...judged(worst?.value, flatGoal)];
}

function memoryRow(holder: Holder, kept: string, results: Results): string[] {
  const all = documentNames.map((name) => ({ name, value: memoryRatio(holder, name, results) }));
  const worst = worstOf(all);
  const what = `memory after 2 MB in 4 characters a chunk: ${kept}, worst document`;
  const factor = worst === undefined ? "–" : `${ratio(worst.value)} x that of JSON.parse`;
  return [what, worst?.name ?? "–", factor, ...judged(worst?.value, memoryGoal)];
}

function wireRow(results: Results): string[] {
  const bytes = results.get(wireId(wireCases[0]))?.median;
  const what = "one string of 200 KB in 4 characters a chunk, `append: true`: bytes on the wire a character";
  return [what, figure(bytes), "", ...judged(bytes, wireGoal)];
}

interface Named {
  readonly name: string;
  readonly value: number | undefined;
}

/** The highest value, or `undefined` if one is missing. */
function worstOf(all: readonly Named[]): { readonly name: string; readonly value: number } | undefined {
  let worst: { readonly name: string; readonly value: number } | undefined;
  for (const { name, value } of all) {
    if (value === undefined) return undefined;
    if (worst === undefined || value > worst.value) worst = { name, value };
  }
  return worst;
}

function judged(value: number | undefined, goal: Goal): string[] {
  const sign = { "at least": "≥", "at most": "≤", "less than": "<" }[goal.sense];
  return [
    `${sign} ${goal.target}`,
    goal.beyond === undefined ? "" : `${sign} ${goal.beyond}`,
    goalState(value, goal),
  ];
}
