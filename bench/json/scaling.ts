/** Measures whether the cost per character depends on the size of the document. */
import type { CutName } from "../chunks.js";
import { flatness as flatnessOf } from "../statistics.js";
import type { Results } from "../suite.js";
import { idOf, type JsonCase } from "./cases.js";
import { documentNames } from "./documents.js";
import type { Goal } from "./comparisons.js";
import type { SubjectName } from "./subjects.js";

export const flatSizes: readonly number[] = [64, 512, 2048];
export const flatGoal: Goal = { sense: "at most", target: 1.5, beyond: 1.2 };

/** Synchronous, because a constant async cost per chunk would hide growth. */
export const flatSubject: SubjectName = "write + takePatch";
export const flatCuts = ["4", "1 KB"] as const satisfies readonly CutName[];

export const flatCases: readonly JsonCase[] = documentNames.flatMap((document) =>
  flatCuts.flatMap((cut) => flatSizes.map((size) => ({ subject: flatSubject, document, size, cut }))),
);

const flatIds = new Set(flatCases.map(idOf));

/** Groups the sizes of a document, because their ratio is the result. */
export function flatGroup(it: JsonCase): string | undefined {
  return flatIds.has(idOf(it)) ? `${it.document}, ${it.cut}` : undefined;
}

/** The highest cost per character among the sizes, divided by the lowest. */
export function flatness(document: string, cut: CutName, results: Results): number | undefined {
  return flatnessOf(
    flatSizes.map((size) => results.get(idOf({ subject: flatSubject, document, size, cut }))?.median),
  );
}

/** Contacts in chunks of 4 characters. */
export const growing: ReadonlyMap<SubjectName, readonly number[]> = new Map<SubjectName, readonly number[]>([
  ...(
    [
      "patches",
      "write + takePatch",
      "JSON.parse",
      "for await",
      "jsonriver",
      "@streamparser/json",
      "stream-json",
    ] as const
  ).map((subject) => [subject, [8, 42, 512, 2048]] as const),
  // These parse the whole text again for each chunk. Larger documents take minutes.
  ...(["partial-json", "AI SDK", "JsonOutputParser"] as const).map((subject) => [subject, [8, 42]] as const),
]);

export function growingCase(subject: SubjectName, size: number): JsonCase {
  return { subject, document: "contacts", size, cut: subject === "JSON.parse" ? "whole" : "4" };
}

export const growingCases: readonly JsonCase[] = [...growing].flatMap(([subject, sizes]) =>
  sizes.map((size) => growingCase(subject, size)),
);
