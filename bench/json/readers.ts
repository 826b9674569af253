/** Every reader on 1 MB of contacts, in small and large chunks. */
import type { CutName } from "../chunks.js";
import type { JsonCase } from "./cases.js";
import { comparedSize } from "./comparisons.js";
import type { SubjectName } from "./subjects.js";

export const readerCuts = ["1-8", "64", "1 KB"] as const satisfies readonly CutName[];

export const readers: readonly SubjectName[] = [
  "patches",
  "patches, strict",
  "patches, append",
  "snapshots",
  "snapshots, strict",
  "write + takePatch",
  "write + takePatch, append",
  "write + snapshot",
  "live value",
  "write",
  "jsonriver",
  "@streamparser/json",
  "stream-json",
  "for await",
];

/** A snapshot copies the pointers of the open containers, so it is not meant for every token. */
const paced: readonly SubjectName[] = ["snapshots", "snapshots, strict", "write + snapshot"];
/** Measured with every chunk size: the readers that the others are compared with. */
const both: readonly SubjectName[] = ["live value", "jsonriver", "for await"];

export function readerCase(subject: SubjectName, cut: CutName): JsonCase {
  return { subject, document: "contacts", size: comparedSize, cut };
}

export function isRead(subject: SubjectName, cut: CutName): boolean {
  return both.includes(subject) || cut !== (paced.includes(subject) ? "1-8" : "64");
}

export const readerCases: readonly JsonCase[] = readers.flatMap((subject) =>
  readerCuts.filter((cut) => isRead(subject, cut)).map((cut) => readerCase(subject, cut)),
);
