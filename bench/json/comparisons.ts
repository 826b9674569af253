import type { CutName } from "../chunks.js";
import type { Results } from "../suite.js";
import { idOf, type JsonCase } from "./cases.js";
import type { SubjectName } from "./subjects.js";

/** A goal: our time or speed compared with another reader of the same document. */
export interface Comparison {
  readonly what: string;
  readonly ours: SubjectName;
  readonly theirs: SubjectName;
  readonly cut: CutName;
  /** Speed as a multiple of theirs ("at least") or time as a multiple of theirs ("at most"). */
  readonly goal: Goal;
}

export interface Goal {
  readonly sense: "at least" | "at most" | "less than";
  readonly target: number;
  readonly beyond?: number;
}

export const comparedSize = 1024;

/** On each document of 1 MB. The first rows use `strict`, because jsonriver and `JSON.parse` read only JSON. */
export const comparisons: readonly Comparison[] = [
  {
    what: "1-8 characters, a patch per chunk, `for await`",
    ours: "patches, strict",
    theirs: "jsonriver",
    cut: "1-8",
    goal: { sense: "at least", target: 1.7, beyond: 2.2 },
  },
  {
    what: "the same, with extraction and repair",
    ours: "patches",
    theirs: "jsonriver",
    cut: "1-8",
    goal: { sense: "at least", target: 1.7, beyond: 2.2 },
  },
  {
    what: "1-8 characters, `write()` and `takePatch()`",
    ours: "write + takePatch",
    theirs: "JSON.parse",
    cut: "1-8",
    goal: { sense: "at most", target: 10, beyond: 6 },
  },
  {
    what: "1 KB, a patch per chunk, `for await`",
    ours: "patches, strict",
    theirs: "jsonriver",
    cut: "1 KB",
    goal: { sense: "at least", target: 2.5, beyond: 4 },
  },
  {
    what: "the same, with extraction and repair",
    ours: "patches",
    theirs: "jsonriver",
    cut: "1 KB",
    goal: { sense: "at least", target: 2.5, beyond: 4 },
  },
  {
    what: "1 KB, a patch per chunk, `for await`",
    ours: "patches, strict",
    theirs: "JSON.parse",
    cut: "1 KB",
    goal: { sense: "at most", target: 2.5, beyond: 1.5 },
  },
  {
    what: "the whole text in one chunk, value only",
    ours: "write",
    theirs: "JSON.parse",
    cut: "whole",
    goal: { sense: "at most", target: 1.5, beyond: 1.1 },
  },
  {
    what: "64 characters, a snapshot per chunk, `for await`",
    ours: "snapshots, strict",
    theirs: "jsonriver",
    cut: "64",
    goal: { sense: "at least", target: 1, beyond: 2 },
  },
];

/** On contacts of 42 KB. */
export const againstLangChain: Comparison = {
  what: "42 KB, 4 characters, a patch per chunk, `for await`",
  ours: "patches",
  theirs: "JsonOutputParser",
  cut: "4",
  goal: { sense: "at least", target: 500 },
};
export const againstLangChainSize = 42;

export interface Sides {
  readonly ours: JsonCase;
  readonly theirs: JsonCase;
}

/** The two cases of a comparison. `JSON.parse` always reads the whole text. */
export function sidesOf({ ours, theirs, cut }: Comparison, document: string, size: number): Sides {
  const theirCut = theirs === "JSON.parse" ? "whole" : cut;
  return {
    ours: { subject: ours, document, size, cut },
    theirs: { subject: theirs, document, size, cut: theirCut },
  };
}

/** The ratio of the medians that the goal compares. */
export function ratioOf(comparison: Comparison, sides: Sides, results: Results): number | undefined {
  const ours = results.get(idOf(sides.ours))?.median;
  const theirs = results.get(idOf(sides.theirs))?.median;
  if (ours === undefined || theirs === undefined) return undefined;
  return comparison.goal.sense === "at least" ? theirs / ours : ours / theirs;
}

/** Whether a figure reaches its goal. */
export function goalState(figure: number | undefined, { sense, target, beyond }: Goal): string {
  if (figure === undefined) return "–";
  const reaches = {
    "at least": (bound: number) => figure >= bound,
    "at most": (bound: number) => figure <= bound,
    "less than": (bound: number) => figure < bound,
  }[sense];
  if (beyond !== undefined && reaches(beyond)) return "beyond";
  return reaches(target) ? "yes" : "no";
}
