/** Every reader on 1 MB of contacts, in small chunks and in large: ours with each option, and the peers. */
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

/** A snapshot copies the pointers of what is open: it is for the pace of who looks, not for that of tokens. */
const paced: readonly SubjectName[] = ["snapshots", "snapshots, strict", "write + snapshot"];
/** What either is compared with, and what changes in place as jsonriver's value does: that costs nothing to look at. */
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
