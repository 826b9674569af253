/** Whether a character costs the same in a large document as in a small one. */
import type { CutName } from "../chunks.js";
import type { Results } from "../suite.js";
import { idOf, type JsonCase } from "./cases.js";
import { documentNames } from "./documents.js";
import type { Goal } from "./comparisons.js";
import type { SubjectName } from "./subjects.js";

export const flatSizes: readonly number[] = [64, 512, 2048];
export const flatGoal: Goal = { sense: "at most", target: 1.5, beyond: 1.2 };

/** Without the async hop per chunk, which is the same for all and would hide what grows. */
export const flatSubject: SubjectName = "write + takePatch";
export const flatCuts = ["4", "1 KB"] as const satisfies readonly CutName[];

export const flatCases: readonly JsonCase[] = documentNames.flatMap((document) =>
  flatCuts.flatMap((cut) => flatSizes.map((size) => ({ subject: flatSubject, document, size, cut }))),
);

const flatIds = new Set(flatCases.map(idOf));

/** The sizes of a document, as it is their ratio that counts. */
export function flatGroup(it: JsonCase): string | undefined {
  return flatIds.has(idOf(it)) ? `${it.document}, ${it.cut}` : undefined;
}

/** The dearest character among the sizes, as a multiple of the cheapest. */
export function flatness(document: string, cut: CutName, results: Results): number | undefined {
  const medians = flatSizes.map(
    (size) => results.get(idOf({ subject: flatSubject, document, size, cut }))?.median,
  );
  const known = medians.filter((it) => it !== undefined);
  return known.length < flatSizes.length ? undefined : Math.max(...known) / Math.min(...known);
}

/** Contacts in chunks of 4 characters, for the plot: time against size. */
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
  // They parse all of the text again on each chunk: larger documents take them minutes.
  ...(["partial-json", "AI SDK", "JsonOutputParser"] as const).map((subject) => [subject, [8, 42]] as const),
]);

export function growingCase(subject: SubjectName, size: number): JsonCase {
  return { subject, document: "contacts", size, cut: subject === "JSON.parse" ? "whole" : "4" };
}

export const growingCases: readonly JsonCase[] = [...growing].flatMap(([subject, sizes]) =>
  sizes.map((size) => growingCase(subject, size)),
);
